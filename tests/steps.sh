# Sourced by .ci/run, tests/run and tests/external/run: runs steps, and prints a table of their seconds and of those of the CPU at
# the end. What failed is printed behind it.
#   step NAME COMMAND…     runs it; if it fails, the script ends
#   start NAME COMMAND…    runs it beside what follows; its output is kept
#   join                   waits for what was started and prints its output
# shellcheck shell=bash

steps_logs=$(mktemp -d)
steps_table=()
steps_failed=()
steps_begun=$SECONDS
declare -A steps_started=()
if [ -t 1 ]; then export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-always}; fi

# run NAME COMMAND…: its output goes to a log; its seconds, those of the CPU, and its status beside that.
steps_run() {
    local log=$steps_logs/${1//\//-} begun=$SECONDS status=0 cpu
    local TIMEFORMAT='%U %S'
    shift
    { time "$@" >"$log" 2>&1; } 2>"$log.cpu" || status=$?
    cpu=$(awk 'END { printf "%.0f", $1 + $2 }' "$log.cpu")
    echo "$((SECONDS - begun)) $cpu $status" >"$log.end"
}

# A line of the table for a step that has ended; its status.
steps_record() {
    local seconds cpu status result=passed
    read -r seconds cpu status <"$steps_logs/${1//\//-}.end"
    if [ "$status" -ne 0 ]; then
        result=FAILED
        steps_failed+=("$1")
    fi
    steps_table+=("$(printf '%6s s  %6s s CPU  %s  %s' "$seconds" "$cpu" $result "$1")")
    return "$status"
}

step() {
    local log=$steps_logs/${1//\//-} follow
    echo "==> $1"
    : >"$log"
    tail -n +1 -f "$log" & follow=$!
    steps_run "$@"
    sleep 0.2
    kill $follow && wait $follow 2>/dev/null || true
    steps_record "$1" || exit 1
}

start() {
    echo "==> $1, beside what follows"
    set -m
    steps_run "$@" &
    set +m
    steps_started[$1]=$!
}

join() {
    local name
    for name in "${!steps_started[@]}"; do
        wait "${steps_started[$name]}" || true
        unset "steps_started[$name]"
        if steps_record "$name"; then
            echo "==> $name"
            cat "$steps_logs/${name//\//-}"
        fi
    done
    [ ${#steps_failed[@]} -eq 0 ] || exit 1
}

# However the script ends: nothing of it still runs, and the last lines are what failed.
steps_end() {
    local status=$? name
    for name in "${!steps_started[@]}"; do kill -TERM -- "-${steps_started[$name]}" 2>/dev/null || true; done
    printf '\n'
    printf '%s\n' "${steps_table[@]}" "$(printf '%6s s  in all' $((SECONDS - steps_begun)))"
    for name in "${steps_failed[@]}"; do
        printf '\n==> failed: %s\n' "$name"
        tail -n 100 "$steps_logs/${name//\//-}"
    done
    rm -rf "$steps_logs"
    exit $status
}
trap steps_end EXIT
