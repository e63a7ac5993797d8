/**
 * When an arena wants to be called again: the `google.rpc.RetryInfo` of an error.
 *
 * It is read from the bytes, since these messages are not among the protocol's own.
 */

const DETAILS_KEY = 'grpc-status-details-bin'
const RETRY_TYPE = 'type.googleapis.com/google.rpc.RetryInfo'

/** The longest wait that is believed, in seconds. */
export const SECONDS_MAX = 600

/**
 * How many seconds to wait at least before the next call; 0 where an error does not say.
 *
 * @param {{ get (key: string): unknown[] }} [metadata] What came with the error.
 */
export function retrySeconds (metadata) {
  const details = metadata?.get(DETAILS_KEY)[0]
  if (!Buffer.isBuffer(details)) return 0
  try {
    return Math.min(seconds(details), SECONDS_MAX)
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

/**
 * How many seconds to wait before the next call.
 *
 * @param {number} wait What the number of attempts so far makes right.
 * @param {number} wanted What the arena wants at least; 0 if it has not said.
 * @param {number} chance Anything from 0 to 1: bots that were sent away together come back
 *   a little apart from each other.
 */
export function pauseSeconds (wait, wanted, chance = Math.random()) {
  return wanted > 0 ? Math.max(wanted, wait) * (1 + chance / 5) : wait * (0.5 + chance)
}

function seconds (status) {
  for (const [number, detail] of fields(status)) {
    if (number !== 3 || !Buffer.isBuffer(detail)) continue
    const any = new Map(fields(detail))
    if (String(any.get(1)) !== RETRY_TYPE) continue
    const delay = new Map(fields(bytes(any.get(2))))
    const parts = new Map(fields(bytes(delay.get(1))))
    return numeral(parts.get(1)) + numeral(parts.get(2)) / 1e9
  }
  return 0
}

const bytes = (value) => Buffer.isBuffer(value) ? value : Buffer.alloc(0)
const numeral = (value) => typeof value === 'number' ? value : 0

/**
 * The numbers and values of a message; numbers and texts are all that is needed. Throws
 * `RangeError` when it holds something else, or ends too soon.
 */
function * fields (message) {
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = message.readUInt8(at)
      at += 1
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const value = varint()
    const number = Math.floor(tag / 8)
    if (tag % 8 === 2) {
      if (at + value > message.length) throw new RangeError('a text is cut off')
      yield [number, message.subarray(at, at + value)]
      at += value
    } else if (tag % 8 === 0) {
      yield [number, value]
    } else {
      throw new RangeError('a field of another kind')
    }
  }
}
