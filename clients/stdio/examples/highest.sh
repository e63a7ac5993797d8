#!/usr/bin/env bash
# Answers every turn with the last of its choices, moons and suns with the first.
while read -r line; do
    choices=${line#*\"choices\":[} count=${line#*\"count\":} kind=${line#*\"kind\":\"}
    choices=${choices%%]*} count=${count%%,*} kind=${kind%%\"*}
    IFS=, read -ra cards <<<"${choices//\"/}"
    case $kind in moon | sun) cards=("${cards[0]}") ;; esac
    echo "${cards[@]: -count}"
done
