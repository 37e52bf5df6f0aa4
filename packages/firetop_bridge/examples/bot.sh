#!/bin/sh
# A bot of the line protocol in POSIX sh and awk: sh bot.sh.
#
# The left hand makes missiles (S, then D), the right hand shields. Everything else gets its default, or the first
# answer that is allowed. It plays duels: in a melee each missile would need its TARGET too. awk reads one position each
# time, because some buffer what they read.
while IFS= read -r line; do
    printf '%s\n' "$line" | awk '
function find(text, name,   rest) {
    # The text after the colon of a member.
    rest = substr(text, index(text, "\"" name "\":") + length(name) + 3)
    sub(/^ +/, "", rest)
    return rest
}

function word(text,   rest) {
    # The text between the first two quotes; empty for null.
    if (text ~ /^null/) return ""
    rest = substr(text, index(text, "\"") + 1)
    return substr(rest, 1, index(rest, "\"") - 1)
}

function choose(id, options, seq,   wanted) {
    wanted = id == "LH" ? (seq % 2 ? "S" : "D") : "P"
    return index(options, "\"" wanted "\"") ? wanted : word(options)
}

/"kind": "orders"/ {
    seq = find($0, "seq") + 0
    count = split(substr($0, index($0, "\"questions\":")), questions, /"id": /)
    for (number = 2; number <= count; number++) {
        question = questions[number]
        id = word(question)
        options = find(question, "options")
        options = substr(options, 1, index(options, "]"))
        if (id == "LH" || id == "RH")
            print id " " choose(id, options, seq)
        else if (find(question, "required") ~ /^true/ && find(question, "default") ~ /^null/)
            print id " " word(options)
    }
    print "END"
}
'
done
