#!/usr/bin/env bash
# Tests how scripts/lib.sh handles missing packages on simulated machines: PATH contains a few real tools, and the stubs
# of dpkg-query, apt-get and sudo that the case needs.
set -euo pipefail
lib=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../scripts" && pwd)/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

machine() {  # a new, bare machine
  rm -rf "$work/bin" && mkdir "$work/bin"
  for tool in bash grep dirname mktemp tail env rm cat; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
}
with() {  # NAME: a stub that runs the script on stdin
  { echo '#!/usr/bin/env bash'; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
ask() {  # need PACKAGE..., as root unless `uid` says otherwise; sets status, said
  status=0
  said=$(PATH=$work/bin bash -c 'source "$0"; need "$@"' "$lib" "$@" 2>&1 </dev/null) || status=$?
}
expect() {  # WHAT GOT WANTED
  [[ $2 == "$3" ]] || { printf '%s:\n  got    %s\n  wanted %s\n' "$1" "$2" "$3"; failures=$((failures + 1)); }
}

machine
ask cmake libfmt-dev
expect "without apt, one line names what is missing" "$status $said" \
  "2 wheelcheck: missing: cmake libfmt-dev; install them and run again"

machine
with dpkg-query <<<'echo "cmake installed"; echo "libfmt-dev config-files"; exit 1'
ask cmake libfmt-dev
expect "a removed package is missing, an installed one is not" "$status $said" \
  "2 wheelcheck: missing: libfmt-dev; install them and run again"

machine
with cmake <<<'exit 0'
ask cmake
expect "a cmake that no package brought will do" "$status $said" "0 "

machine
with dpkg-query <<<'echo "cmake installed"'
with apt-get <<<'echo "$@" >>"${0%/*}/../calls"'
with sudo <<<'[[ $1 != -n ]] || shift; exec "$@"'
: >"$work/calls"
ask cmake
expect "nothing is asked of apt when nothing is missing" "$status $said$(cat "$work/calls")" "0 "
ask cmake ninja-build libfmt-dev
expect "apt gets exactly what is missing" "$status $said $(cat "$work/calls")" \
  "0 wheelcheck: installing ninja-build libfmt-dev \
-qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends ninja-build libfmt-dev"

machine
with sudo <<<'[[ $1 != -n ]] || shift; exec "$@"'
with apt-get <<<'if [[ " $* " == *" update "* ]]; then : >"${0%/*}/updated"; else [[ -e ${0%/*}/updated ]]; fi'
ask cmake
expect "lists are fetched when the first try fails" "$status $said" "0 wheelcheck: installing cmake"

machine
with sudo <<<'[[ $1 != -n ]] || shift; exec "$@"'
with apt-get <<<'echo "E: no network"; exit 100'
ask cmake
expect "apt's own words are shown when it fails" "$status ${said//$'\n'/|}" \
  "2 wheelcheck: installing cmake|E: no network|wheelcheck: missing: cmake; apt-get could not install them"

if [[ $EUID -ne 0 ]]; then
  machine
  with apt-get <<<'exit 0'
  ask cmake
  expect "a user without sudo is told what to ask for" "$status $said" \
    "2 wheelcheck: missing: cmake; install them and run again"
fi
[[ $failures -eq 0 ]] && echo "all as expected"
