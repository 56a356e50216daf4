# What scripts/wheelcheck, scripts/test, scripts/bench and scripts/fuzz share: getting the packages, and a build that speaks
# only when it fails. Sourced, never run. Everything said here goes to stderr, so that stdout is the report and nothing else.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# zlib1g-dev and libzstd-dev are what LLVM's own CMake files ask for beside llvm-19-dev; these and the three after
# libarchive-dev are what libarchive.a asks for.
build_packages=(cmake ninja-build g++ llvm-19-dev zlib1g-dev libzstd-dev libarchive-dev liblzma-dev libbz2-dev nettle-dev
  libdeflate-dev libssl-dev libfmt-dev nlohmann-json3-dev libcli11-dev libre2-dev libutf8proc-dev libseccomp-dev
  libtomlplusplus-dev python3)
# cmake/IsaL.cmake: third_party/isa-l is in assembler for x86-64, in C elsewhere.
if [[ $HOSTTYPE == x86_64 ]]; then build_packages+=(nasm); fi
# ca-certificates: without it pip on Debian trusts nobody. llvm-19: the independent reader of the oracle tests. locales: a
# report must not change with one. clang-19 builds the sanitized tests, in half of gcc's time; libclang-rt: its sanitizers.
# libc++: tests/compiler_oracle compiles with it; gcc 12 cannot read libc++ 19. strace: tests/sandbox looks at what is asked of the
# kernel. chromium: tests/output_formats opens the HTML report. zsh to mandoc: tests/python_package and tests/install ask them.
test_packages=(libgtest-dev libgmock-dev libvalijson-dev llvm-19 locales python3-venv ca-certificates clang-19
  libclang-rt-19-dev libc++-19-dev libc++abi-19-dev strace chromium zsh fish mandoc dpkg-dev lintian
  clang-format-19 codespell)
# Beside build_packages. ca-certificates and python3-venv: the wheels and auditwheel come by pip. perf: bench/costs.py.
bench_packages=(libbenchmark-dev linux-perf python3-venv ca-certificates)

say() { printf 'wheelcheck: %s\n' "$*" >&2; }

has_header() { g++ -fsyntax-only -x c++ -include "$1" /dev/null 2>/dev/null; }

has_asan() { echo 'int main() {}' | clang++-19 -x c++ -fsanitize=address -o /dev/null - 2>/dev/null; }

has_libcxx() { echo 'int main() {}' | clang++-19 -x c++ -stdlib=libc++ -include string -o /dev/null - 2>/dev/null; }

# Whether what PACKAGE would bring is here by other means: another distribution, or a hand-made installation.
is_here() {
  case $1 in
    cmake | g++ | nasm | python3 | zsh | fish | mandoc | lintian | clang-format-19 | codespell) command -v "$1" ;;
    ninja-build) command -v ninja ;;
    dpkg-dev) command -v dpkg-shlibdeps ;;
    llvm-19) command -v llvm-readelf-19 ;;
    llvm-19-dev) command -v llvm-config-19 ;;
    clang-19) command -v clang++-19 ;;
    libclang-rt-19-dev) has_asan ;;
    libc++-19-dev) has_libcxx ;;
    libc++abi-19-dev) has_libcxx ;;
    chromium) command -v chromium-browser || command -v google-chrome ;;
    locales) test -d /usr/share/i18n/locales ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null ;;
    linux-perf) command -v perf ;;
    strace) command -v strace ;;
    ca-certificates) test -s /etc/ssl/certs/ca-certificates.crt -o -d /etc/pki/tls/certs ;;
    zlib1g-dev) has_header zlib.h ;;
    libzstd-dev) has_header zstd.h ;;
    libarchive-dev) has_header archive.h ;;
    liblzma-dev) has_header lzma.h ;;
    libbz2-dev) has_header bzlib.h ;;
    nettle-dev) has_header nettle/version.h ;;
    libdeflate-dev) has_header libdeflate.h ;;
    libssl-dev) has_header openssl/evp.h ;;
    libfmt-dev) has_header fmt/format.h ;;
    nlohmann-json3-dev) has_header nlohmann/json.hpp ;;
    libcli11-dev) has_header CLI/CLI.hpp ;;
    libre2-dev) has_header re2/re2.h ;;
    libutf8proc-dev) has_header utf8proc.h ;;
    libtomlplusplus-dev) has_header toml++/toml.h ;;
    libseccomp-dev) has_header seccomp.h ;;
    libgtest-dev) has_header gtest/gtest.h ;;
    libgmock-dev) has_header gmock/gmock.h ;;
    libvalijson-dev) has_header valijson/schema.hpp ;;
    libbenchmark-dev) has_header benchmark/benchmark.h ;;
    *) return 1 ;;
  esac >/dev/null
}

# Those of PACKAGE... that are not here, one a line.
missing_of() {
  local package installed=
  if command -v dpkg-query >/dev/null; then
    # dpkg-query fails when one of the names is unknown to it; what it prints for the others still counts.
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  fi
  for package in "$@"; do
    grep -qxF "$package installed" <<<"$installed" || is_here "$package" || printf '%s\n' "$package"
  done
}

# need PACKAGE...: installs what is missing, or says in one line what that is and ends with 2.
need() {
  local -a missing as=()
  mapfile -t missing < <(missing_of "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  local able=yes
  command -v apt-get >/dev/null || able=
  if [[ $able && $EUID -ne 0 ]]; then
    as=(sudo)
    # Where sudo would want a password, it may ask for one only if somebody is there to type it.
    { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]]; }; } || able=
  fi
  if [[ ! $able ]]; then
    say "missing: ${missing[*]}; install them and run again"
    exit 2
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  apt() { "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1 </dev/null; }
  local -a install=(install -y --no-install-recommends "${missing[@]}")
  # Package lists may be absent (a container) or old: they are fetched only when the first try shows it.
  if ! { apt "${install[@]}" || { apt update && apt "${install[@]}"; }; }; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "missing: ${missing[*]}; apt-get could not install them"
    exit 2
  fi
  rm -f "$log"
}

# Copies ninja's or ctest's lines to stdout and says now and then how far it is: "dev: building 120/400".
progress() {
  local line next=$((SECONDS + 3))
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ SECONDS -ge next && $line =~ ^[\ \[]*([0-9]+/[0-9]+)[\]\ ] ]]; then
      say "$1 ${BASH_REMATCH[1]}"
      next=$((SECONDS + 15))
    fi
  done
}

fail_with() {  # LOG WORDS...
  cat "$1" >&2
  say "${@:2} failed; the lines above are $1"
  exit 4
}

# build PRESET TARGET...: configures build/PRESET if need be and builds the targets. Flags of CMake's for the first
# configuration may stand in `configure_flags`; an option in `must_be_on` is turned on in an older build folder too.
build() {
  local preset=$1 dir=$root/build/$1 log=$root/build/$1.log
  shift
  mkdir -p "$root/build"
  cd "$root"
  # A tree that was copied with its build folder is not the tree which that folder was made for.
  if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    rm -rf "$dir"
  fi
  if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # what its manual asks for where headers are precompiled
  fi
  (
    flock 9  # two runs at once would write the same objects
    local -a flags=()
    [[ -f $dir/build.ninja ]] || flags=("${configure_flags[@]}")
    [[ ! $must_be_on ]] || is_on "$dir" || flags+=("-D$must_be_on=ON")
    if [[ ! -f $dir/build.ninja || ${#flags[@]} -gt 0 ]]; then
      say "$preset: configuring"
      cmake --preset "$preset" "${flags[@]}" >"$log" 2>&1 </dev/null || fail_with "$log" "$preset: configuring"
    fi
    cmake --build "$dir" --target "$@" 2>&1 </dev/null 9>&- | progress "$preset: building" >"$log" ||
      fail_with "$log" "$preset: building"
  ) 9>"$root/build/.lock"
}
configure_flags=()
must_be_on=

is_on() { grep -qxF "$must_be_on:BOOL=ON" "$1/CMakeCache.txt" 2>/dev/null; }
