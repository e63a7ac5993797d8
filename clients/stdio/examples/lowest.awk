# Answers every turn with the first of its choices: awk -W interactive -f lowest.awk
{
    match($0, /"choices":\[[^]]*/)
    split(substr($0, RSTART + 11, RLENGTH - 11), choices, ",")
    match($0, /"count":[0-9]+/)
    count = substr($0, RSTART + 8, RLENGTH - 8)
    answer = ""
    for (i = 1; i <= count; i++) answer = answer " " choices[i]
    gsub(/"/, "", answer)
    print answer
    fflush()
}
