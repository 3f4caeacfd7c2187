# Sourced by .ci/run, tests/run and tests/external/run: runs steps, and prints a table of their seconds at the end.
#   step NAME COMMAND…     runs it; if it fails, the script ends
#   start NAME COMMAND…    runs it beside what follows; its output is kept
#   join                   waits for what was started and prints its output, that of failed steps last
# shellcheck shell=bash

steps_log=$(mktemp -d)
steps_table=()
steps_begun=$EPOCHREALTIME
declare -A steps_pid=()
steps_started=()

seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.0f", to - from }'; }

step() {
    local name=$1 begun=$EPOCHREALTIME status=0
    shift
    echo "==> $name"
    "$@" || status=$?
    record "$name" "$(seconds_since "$begun")" $status
    [ $status -eq 0 ] || exit $status
}

record() {
    local result=passed
    if [ "$3" -ne 0 ]; then result=FAILED; fi
    steps_table+=("$(printf '%6s s  %-6s  %s' "$2" $result "$1")")
}

start() {
    local name=$1
    shift
    echo "==> $name (beside what follows)"
    (
        begun=$EPOCHREALTIME status=0
        "$@" >"$steps_log/$name" 2>&1 || status=$?
        seconds_since "$begun" >"$steps_log/$name.seconds"
        exit $status
    ) &
    steps_pid[$name]=$!
    steps_started+=("$name")
}

join() {
    local name failed=0 last=()
    for name in ${steps_started[@]+"${steps_started[@]}"}; do
        local status=0
        wait "${steps_pid[$name]}" || status=$?
        record "$name" "$(cat "$steps_log/$name.seconds" 2>/dev/null || echo '?')" $status
        if [ $status -eq 0 ]; then
            printf '==> %s\n' "$name"
            cat "$steps_log/$name"
        else
            failed=$status
            last+=("$name")
        fi
    done
    steps_started=()
    for name in ${last[@]+"${last[@]}"}; do
        printf '==> %s\n' "$name"
        cat "$steps_log/$name"
    done
    [ $failed -eq 0 ] || exit $failed
}

# The end of the script, however it comes: ends what still runs, and prints the table before the last lines of a failure.
steps_end() {
    local status=$? name
    for name in ${steps_started[@]+"${steps_started[@]}"}; do
        pkill -TERM -P "${steps_pid[$name]}" 2>/dev/null || true
    done
    printf '\n%s\n' "${steps_table[@]}" "$(printf '%6s s  in all' "$(seconds_since "$steps_begun")")" | sed '/^$/d'
    rm -rf "$steps_log"
    exit $status
}
trap steps_end EXIT
