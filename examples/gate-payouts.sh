#!/usr/bin/env bash
# Sends the payouts of a CSV file that Fairway allows, and lists all others with the reason. For a scheduler.
#
#   SEND_PAYOUT=./send-payout.sh PAYOUT_STATE=/var/lib/payouts ./gate-payouts.sh payouts.csv
#
# The file begins with id,corridor,amount,currency,reference. Held payouts are in payouts.held.csv.
# Exit codes: 0 all sent, 75 something is held, 1 nothing was done. Run it again at any time: nothing is sent twice.
#
# FAIRWAY_URL, FAIRWAY_API_KEY  as for every fairway command
# SEND_PAYOUT   your program: it gets the payout in PAYOUT_ID, PAYOUT_CORRIDOR, PAYOUT_AMOUNT, PAYOUT_CURRENCY,
#               PAYOUT_REFERENCE, PAYOUT_PARTNER and PAYOUT_REQUEST_ID, and exits with 0 once the rail has taken it
# PAYOUT_STATE  the folder that remembers what was sent: keep it, and back it up
# PAYOUT_ROUND  any word: asks anew about payouts that an earlier decision holds

set -euo pipefail

fail() {
  printf 'gate-payouts: %s\n' "$1" >&2
  exit 1
}

[ $# -eq 1 ] || fail 'usage: SEND_PAYOUT=./send-payout.sh gate-payouts.sh payouts.csv'
payouts=$1
case $payouts in -*) payouts=./$payouts ;; esac
send=${SEND_PAYOUT:-}
state=${PAYOUT_STATE:-}
round=${PAYOUT_ROUND:-}
report=${payouts%.csv}.held.csv
columns=id,corridor,amount,currency,reference

[ -r "$payouts" ] || fail "cannot read $payouts"
[ -n "$send" ] && command -v -- "$send" >/dev/null || fail 'set SEND_PAYOUT to the program that sends one payout'
command -v fairway >/dev/null || fail 'the command fairway is not on the PATH'
[[ $round =~ ^[A-Za-z0-9-]{0,40}$ ]] || fail 'PAYOUT_ROUND may have letters, digits and dashes'
IFS= read -r header <"$payouts" || true
[ "${header%$'\r'}" = "$columns" ] || fail "the first line of $payouts must be $columns"
# A quoted value over two lines could pass for a payout of its own.
awk 'gsub(/"/, "") % 2 { odd = 1; exit } END { exit odd }' "$payouts" ||
  fail "$payouts has a line with an open quotation mark: values must not contain line breaks"
# Not made here: an empty folder in the wrong place would send everything again.
[[ $state == /* && -d $state && -w $state ]] || fail 'set PAYOUT_STATE to the absolute path of a folder that exists'
draft=$(mktemp "$report.XXXXXX") || fail "cannot write $report"
trap 'rm -f -- "$draft"' EXIT

held=0
hold() { # hold ID REASON [REQUEST_ID]
  printf '%s,%s,%s,%s\n' "$line" "$1" "$2" "${3:-}" >>"$draft"
  printf 'held: line %s %s %s\n' "$line" "$1" "$2" >&2
  held=$((held + 1))
}

member() { # The value of a text member of the answer; nothing if it has none.
  if [[ $answer =~ \"$1\":\"([^\"]*)\" ]]; then printf '%s' "${BASH_REMATCH[1]}"; fi
}

only_member() { # The same, but nothing if two members have the name: an inner one must not stand for that of the answer.
  [[ $answer =~ \"$1\":.*\"$1\": ]] || member "$1"
}

is_over() { # True once the time is past: 2026-11-15T08:53:41.254Z
  local now until=${1:0:19}
  now=$(date -u +%Y%m%d%H%M%S)
  until=${until//[^0-9]/}
  [[ ! $until =~ ^[0-9]{14}$ ]] || [ "$now" -ge "$until" ]
}

is_away=no
gate() { # Asks about the payout of the row, and sends it on a GO that asks for nothing first.
  local id=$1 code=0 kept=$state/$1 request reason
  if [ -e "$kept" ]; then
    # Killed before it wrote the row.
    if [ ! -s "$kept/row" ]; then hold "$id" SEND_UNKNOWN
    elif [ "$(cat -- "$kept/row")" != "$row" ]; then hold "$id" ID_USED_FOR_ANOTHER_PAYOUT
    elif [ -e "$kept/sent" ]; then printf 'sent before: %s\n' "$id"
    else hold "$id" SEND_UNKNOWN; fi
    return
  fi
  if [ "$is_away" = yes ]; then hold "$id" NOT_ASKED && return; fi
  answer=$(fairway verify "$corridor" "$amount" --currency "$currency" --correlation-id "$id" \
    --idempotency-key "payout-$id${round:+/$round}" --json </dev/null) || code=$?
  request=$(member request_id)
  if [[ $answer =~ \"warnings\":\[([^]]*)\] ]]; then
    printf 'warning: line %s %s %s\n' "$line" "$id" "${BASH_REMATCH[1]}" >&2
  fi
  case $code in
    0)
      reason=$(only_member decision)_$(only_member recommended_action)
      [[ $reason == ?*_?* ]] || reason=UNCLEAR_ANSWER
      ;;
    10 | 20) reason=$(member decision)_$(member recommended_action) ;;
    75)
      reason=$(member code) && reason=${reason:-NO_ANSWER}
      # Missing signals hold one payout. Everything else would hold the next ones as well, after a long wait for each.
      [ "$reason" = SIGNALS_UNAVAILABLE ] || is_away=yes
      ;;
    *) reason=$(member code) && reason=${reason:-EXIT_$code} ;;
  esac
  if [ "$code" -ne 0 ] || [ "$reason" != GO_PROCEED ]; then hold "$id" "$reason" "$request" && return; fi
  # An earlier run may have got this answer long ago.
  if is_over "$(only_member valid_until)"; then hold "$id" DECISION_EXPIRED "$request" && return; fi
  # At most once: recorded on disk before it is sent. Of two jobs, one alone can make the folder.
  if ! { mkdir -- "$kept" && printf '%s\n' "$row" >"$kept/row" && printf '%s\n' "$answer" >"$kept/decision.json" &&
    sync "$kept/row" "$kept" "$state"; }; then hold "$id" NOT_RECORDED "$request" && return; fi
  if (
    unset FAIRWAY_API_KEY
    export PAYOUT_ID=$id PAYOUT_CORRIDOR=$corridor PAYOUT_AMOUNT=$amount PAYOUT_CURRENCY=$currency
    export PAYOUT_REFERENCE=$reference PAYOUT_REQUEST_ID=$request PAYOUT_PARTNER
    PAYOUT_PARTNER=$(member recommended_partner)
    exec -- "$send"
  ) </dev/null; then
    if touch -- "$kept/sent"; then printf 'sent: %s %s\n' "$id" "$request"
    else hold "$id" SEND_UNKNOWN "$request"; fi
  else
    hold "$id" SEND_UNKNOWN "$request"
  fi
}

# Only what is exactly a payout is asked about: no spaces, signs, thousands separators or unknown columns.
valid='^([A-Za-z0-9][A-Za-z0-9._-]{0,63}),([A-Z]{2}-[A-Z]{2}),((0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?),([A-Z]{3}),(.*)$'
text='^("([^"]|"")*"|[^",]*)$'
# Code 1 means that nothing was done, so from here on a fault is not 1.
trap 'code=$?; rm -f -- "$draft"; [ "$code" -ne 1 ] || exit 75' EXIT
line=0
printf 'line,id,reason,request_id\n' >"$draft"
while IFS= read -r row <&3 || [ -n "$row" ]; do
  line=$((line + 1))
  row=${row%$'\r'}
  if [ "$line" -eq 1 ] || [ -z "$row" ]; then continue; fi
  [[ $row =~ $valid ]] || { hold '' INVALID_ROW && continue; }
  id=${BASH_REMATCH[1]} corridor=${BASH_REMATCH[2]} amount=${BASH_REMATCH[3]}
  currency=${BASH_REMATCH[6]} reference=${BASH_REMATCH[7]}
  [[ $reference =~ $text && $amount =~ [1-9] ]] || { hold '' INVALID_ROW && continue; }
  if [[ $reference == \"* ]]; then reference=${reference:1:${#reference}-2} reference=${reference//\"\"/\"}; fi
  gate "$id"
done 3<"$payouts"
mv -- "$draft" "$report"
[ "$held" -eq 0 ] || exit 75
