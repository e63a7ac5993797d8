/**
 * TLS to an arena: the files that it takes, and why an arena and a bot do not agree.
 */

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect, createSecureContext } from 'node:tls'
import grpc from '@grpc/grpc-js'

/** Stands for the authorities that browsers trust, in place of a file. */
const PUBLIC = 'public'

/** How long an arena may take to say what is wrong with a connection, in milliseconds. */
const PROBE_MS = 3000

/** What node calls a certificate of an authority that it has not been told of. */
const UNTRUSTED = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE'
])

/** A file that is no use for TLS: which one, why, and what to do. */
export class TlsError extends Error {
  name = 'TlsError'
}

/**
 * Reads the files that the options or the environment name: `{ ca, cert, key, … }`;
 * null stands for no TLS.
 */
export function readTls ({
  tlsCa: ca = process.env.HEARTS_TLS_CA || '',
  tlsCert: cert = process.env.HEARTS_TLS_CERT || '',
  tlsKey: key = process.env.HEARTS_TLS_KEY || ''
} = {}) {
  if (Boolean(cert) !== Boolean(key)) {
    const [named, missing] = cert ? ['CERT', 'KEY'] : ['KEY', 'CERT']
    throw new TlsError(`HEARTS_TLS_${named} is of no use without HEARTS_TLS_${missing}; set both`)
  }
  if (!ca) {
    if (!cert) return null
    throw new TlsError('HEARTS_TLS_CERT is of no use without HEARTS_TLS_CA, the file with the arena\'s authority')
  }
  const roots = ca === PUBLIC ? null : content('HEARTS_TLS_CA', ca)
  if (roots && !roots.includes('-----BEGIN CERTIFICATE-----')) {
    throw new TlsError(`${ca} holds no certificate; HEARTS_TLS_CA is the arena's ca.pem`)
  }
  const tls = {
    ca,
    cert,
    roots,
    certPem: cert ? content('HEARTS_TLS_CERT', cert) : null,
    keyPem: key ? content('HEARTS_TLS_KEY', key) : null
  }
  try {
    createSecureContext(files(tls))
  } catch (error) {
    const text = cert ? `${cert} and ${key} are no certificate and its key` : `${ca} is no certificate`
    throw new TlsError(`${text} (${error.message})`)
  }
  return tls
}

/** Reads a file that a variable, or the option in its place, names. */
function content (variable, path) {
  try {
    return readFileSync(path)
  } catch (error) {
    const advice = 'expected a file that the host of the arena gave you'
    throw new TlsError(`${variable} names ${path}: ${error.message}; ${advice}`)
  }
}

/** What node takes for a connection; undefined stands for its own. */
function files (tls) {
  return { ca: tls?.roots ?? undefined, cert: tls?.certPem ?? undefined, key: tls?.keyPem ?? undefined }
}

/** What gRPC takes for a channel. */
export function credentials (tls) {
  if (!tls) return grpc.credentials.createInsecure()
  return grpc.credentials.createSsl(tls.roots, tls.keyPem, tls.certPem)
}

/**
 * Says why a connection that has failed can't work; empty when it may some time.
 *
 * gRPC says little of that, so the handshake is done once more by itself.
 */
export async function distrust (address, tls, end) {
  if (end.code !== grpc.status.UNAVAILABLE || address.startsWith('unix:')) return ''
  const [host, port] = split(address)
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      servername: isIP(host) ? '' : host,
      ALPNProtocols: ['h2'],
      rejectUnauthorized: tls !== null,
      ...files(tls)
    })
    const done = (text) => {
      socket.destroy()
      resolve(text)
    }
    let isSecure = false
    socket.setTimeout(PROBE_MS, () => done(''))
    socket.on('secureConnect', () => {
      isSecure = true
      const advice = 'set HEARTS_TLS_CA to the ca.pem that its host gives you'
      if (!tls) done(`the arena at ${address} speaks TLS; ${advice}`)
    })
    // An arena that does not like the bot's certificate closes only after the handshake.
    socket.on('data', () => done(''))
    socket.on('close', () => done(isSecure ? unwelcome(address, tls) : ''))
    socket.on('error', (error) => {
      if (!tls) return done('')
      done(isSecure ? unwelcome(address, tls) : meaning(address, tls, error))
    })
  })
}

/** What it means that an arena closes a connection which is secure. */
function unwelcome (address, tls) {
  if (!tls.cert) {
    const advice = 'set HEARTS_TLS_CERT and HEARTS_TLS_KEY to those that its host gives you'
    return `the arena at ${address} admits only bots with a certificate; ${advice}`
  }
  const reason = "it has expired, it is not a bot's (`arena cert --client NAME` makes those), " +
    'or an authority has issued it that the arena does not know'
  return `the arena at ${address} does not accept the certificate ${tls.cert}; ${reason}`
}

/** What it means that a connection could not be made secure; empty: it is not about TLS. */
function meaning (address, tls, error) {
  const certificate = `the certificate of the arena at ${address}`
  const { code, message } = error
  if (code === 'CERT_HAS_EXPIRED') return `${certificate} has expired; its host has to renew it`
  if (code === 'CERT_NOT_YET_VALID') return `${certificate} is not valid yet; is the clock of this machine right?`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${certificate} is for other names only; use one of them in HEARTS_ARENA (${message})`
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return `the arena at ${address} speaks no TLS; leave HEARTS_TLS_CA out`
  if (!UNTRUSTED.has(code)) return ''
  const known = tls.ca === PUBLIC ? 'a public authority' : `the authority in ${tls.ca}`
  return `${certificate} is not from ${known}; set HEARTS_TLS_CA to the ca.pem of this arena (${message})`
}

/** The host and the port of an address. */
function split (address) {
  const plain = address.replace(/^(dns|ipv4|ipv6):\/*/, '')
  const at = plain.lastIndexOf(':')
  return [plain.slice(0, at).replace(/^\[|\]$/g, ''), Number(plain.slice(at + 1))]
}
