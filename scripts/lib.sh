# Functions of scripts/wheelcheck, scripts/test, scripts/bench and scripts/fuzz: they install the packages and run the
# build, whose output is printed only if it fails. This file is sourced, never run. All messages go to stderr, so that
# stdout contains only the report.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# LLVM's CMake files require zlib1g-dev and libzstd-dev besides llvm-19-dev. libarchive.a requires these two and the
# three packages after libarchive-dev.
build_packages=(cmake ninja-build g++ llvm-19-dev zlib1g-dev libzstd-dev libarchive-dev liblzma-dev libbz2-dev nettle-dev
  libdeflate-dev libssl-dev libfmt-dev nlohmann-json3-dev libcli11-dev libre2-dev libutf8proc-dev libseccomp-dev
  libtomlplusplus-dev python3)
# third_party/isa-l is written in assembler for x86-64 and in C for other architectures (cmake/IsaL.cmake).
if [[ $HOSTTYPE == x86_64 ]]; then build_packages+=(nasm); fi
# ca-certificates: pip on Debian cannot verify a certificate without it.
# llvm-19: llvm-readelf, the independent ELF reader of the oracle tests.
# locales: tests check that the locale does not change a report.
# clang-19: builds the tests with sanitizers in half of gcc's time; libclang-rt contains the sanitizers.
# lld: tests/repair and tests/readelf_oracle link for other machines.
# libc++: tests/compiler_oracle compiles with clang and libc++, because gcc 12 cannot compile the headers of libc++ 19.
# strace: tests/sandbox checks the system calls. chromium: tests/output_formats opens the HTML report.
# musl-tools: tests/musl_oracle compiles for musl and runs its loader.
# gdb: tests/repair finds a function in the debug information that repair has split off.
# zsh, fish, mandoc: tests/python_package and tests/install run them. graphviz: tests/cli run the command of docs/tour.md.
test_packages=(libgtest-dev libgmock-dev libvalijson-dev llvm-19 locales python3-venv ca-certificates clang-19
  lld-19 libclang-rt-19-dev libc++-19-dev libc++abi-19-dev strace chromium zsh fish mandoc graphviz gdb dpkg-dev lintian
  clang-format-19 codespell)
if [[ $HOSTTYPE == x86_64 ]]; then test_packages+=(musl-tools); fi
# In addition to build_packages. ca-certificates and python3-venv: pip fetches the wheels and auditwheel. linux-perf:
# bench/costs.py.
bench_packages=(libbenchmark-dev linux-perf python3-venv ca-certificates)

say() { printf 'wheelcheck: %s\n' "$*" >&2; }

has_header() { g++ -fsyntax-only -x c++ -include "$1" /dev/null 2>/dev/null; }

has_asan() { echo 'int main() {}' | clang++-19 -x c++ -fsanitize=address -o /dev/null - 2>/dev/null; }

has_libcxx() { echo 'int main() {}' | clang++-19 -x c++ -stdlib=libc++ -include string -o /dev/null - 2>/dev/null; }

# is_here PACKAGE: succeeds if the contents of PACKAGE are installed by other means, such as another distribution's
# package or an installation from source.
is_here() {
  case $1 in
    cmake | g++ | gdb | nasm | python3 | zsh | fish | mandoc | lintian | clang-format-19 | clang-tidy-19 | codespell) command -v "$1" ;;
    ninja-build) command -v ninja ;;
    graphviz) command -v dot ;;
    dpkg-dev) command -v dpkg-shlibdeps ;;
    llvm-19) command -v llvm-readelf-19 ;;
    llvm-19-dev) command -v llvm-config-19 ;;
    clang-19) command -v clang++-19 ;;
    lld-19) command -v ld.lld-19 ;;
    libclang-rt-19-dev) has_asan ;;
    libc++-19-dev) has_libcxx ;;
    libc++abi-19-dev) has_libcxx ;;
    chromium) command -v chromium-browser || command -v google-chrome ;;
    locales) test -d /usr/share/i18n/locales ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null ;;
    linux-perf) command -v perf ;;
    musl-tools) command -v musl-gcc ;;
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
    libsqlite3-dev) has_header sqlite3.h ;;
    libyaml-dev) has_header yaml.h ;;
    python3-dev) python3 -c 'import os, sysconfig; os.stat(sysconfig.get_paths()["include"] + "/Python.h")' 2>/dev/null ;;
    libbenchmark-dev) has_header benchmark/benchmark.h ;;
    *) return 1 ;;
  esac >/dev/null
}

# missing_of PACKAGE...: prints the packages that are not installed, one per line.
missing_of() {
  local package installed=
  if command -v dpkg-query >/dev/null; then
    # dpkg-query fails if it does not know one of the names, but its output for the other names is valid.
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  fi
  for package in "$@"; do
    grep -qxF "$package installed" <<<"$installed" || is_here "$package" || printf '%s\n' "$package"
  done
}

# need PACKAGE...: installs the missing packages. If that is not possible, it names them and exits with code 2.
need() {
  local -a missing as=()
  mapfile -t missing < <(missing_of "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  local able=yes
  command -v apt-get >/dev/null || able=
  if [[ $able && $EUID -ne 0 ]]; then
    as=(sudo)
    # If sudo needs a password, it is used only if a terminal is there to type it.
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
  # The package lists may be missing (in a container) or out of date. They are fetched only if the first attempt fails.
  if ! { apt "${install[@]}" || { apt update && apt "${install[@]}"; }; }; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "missing: ${missing[*]}; apt-get could not install them"
    exit 2
  fi
  rm -f "$log"
}

# progress LABEL: copies the lines of ninja or ctest from stdin to stdout and prints the progress to stderr every 15
# seconds, such as "dev: building 120/400".
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

# build PRESET TARGET...: configures build/PRESET if necessary and builds the targets. `configure_flags` contains the
# flags of CMake for the first configuration. The options in `must_be_on` are turned on in an existing build folder too.
build() {
  local preset=$1 dir=$root/build/$1 log=$root/build/$1.log option
  shift
  mkdir -p "$root/build"
  cd "$root"
  # If the source tree was copied or moved together with its build folder, the folder refers to the old path.
  if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    rm -rf "$dir"
  fi
  if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # required by its manual for precompiled headers
  fi
  (
    flock 9  # two runs at once would write the same objects
    local -a flags=(--preset "$preset" "${configure_flags[@]}")
    [[ ! -f $dir/build.ninja ]] || flags=("$dir")  # what was chosen for this folder remains
    local known=${#flags[@]}
    for option in "${must_be_on[@]}"; do
      grep -qxF "$option:BOOL=ON" "$dir/CMakeCache.txt" 2>/dev/null || flags+=("-D$option=ON")
    done
    if [[ ! -f $dir/build.ninja || ${#flags[@]} -gt known ]]; then
      say "$preset: configuring"
      cmake "${flags[@]}" >"$log" 2>&1 </dev/null || fail_with "$log" "$preset: configuring"
    fi
    cmake --build "$dir" --target "$@" 2>&1 </dev/null 9>&- | progress "$preset: building" >"$log" ||
      fail_with "$log" "$preset: building"
  ) 9>"$root/build/.lock"
}
configure_flags=()
must_be_on=()
