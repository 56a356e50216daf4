#!/usr/bin/env bash
# Builds the libraries that a wheel is linked with, as archives, in a manylinux image: libraries.sh PREFIX [NAME...].
#
# The sources are those of Debian 12, what the tests are built with, by the checksums of its signed index. Every one is
# compiled here, because Debian's own archives ask for a newer C library. Without names: all, and what they need of the
# image.
set -euo pipefail
prefix=$1
shift
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
jobs=$(nproc)
export CFLAGS="-O2 -fPIC -fstack-protector-strong" CXXFLAGS="-O2 -fPIC -fstack-protector-strong"

# NAME, where in Debian's pool, SHA-256. RE2 is upstream's: Debian's lacks tables that its build makes anew.
sources='
zlib main/z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1
zstd main/libz/libzstd/libzstd_1.5.4%2bdfsg2.orig.tar.xz 8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953
xz main/x/xz-utils/xz-utils_5.4.1.orig.tar.xz 5d9827aa1875b21c288f78864bb26d2650b436ea8d2cad364e4921eb6266a5a5
deflate main/libd/libdeflate/libdeflate_1.14.orig.tar.gz 89e7df898c37c3427b0f39aadcf733731321a278771d20fc553f92da8d4808ac
fmt main/f/fmtlib/fmtlib_9.1.0%2bds1.orig.tar.gz 84ce1c2d0be3a9863935137969dcec6970125caac032f82474640bfc81463583
json main/n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
cli11 main/c/cli11/cli11_2.1.2%2bds.orig.tar.xz 8143d20b688e98ccce8e24562d3b68e5f47c12e896c42c7ca8553dbde5bed55d
toml main/t/tomlplusplus/tomlplusplus_3.3.0%2bds.orig.tar.xz a143f15016090d88d72e018632efa43b1124bb62285d8c72d51d0cdb45ad787b
re2 https://github.com/google/re2/archive/refs/tags/2022-06-01.tar.gz f89c61410a072e5cbcf8c27e3a778da7d6fd2f2b5b1445cd4f4508bee946ab0f
seccomp main/libs/libseccomp/libseccomp_2.5.4.orig.tar.gz d82902400405cf0068574ef3dc1fe5f5926207543ba1ae6f8e7a1576351dcbdb
openssl main/o/openssl/openssl_3.0.22.orig.tar.gz 67ebca7e50d17383028045486653492195b83db95f8558709701bb47b5c1ef81
archive main/liba/libarchive/libarchive_3.6.2.orig.tar.xz 9e2c1b80d5fbe59b61308fdfab6c79b5021d7ff4ff2489fb12daf0a96a83551d
llvm main/l/llvm-toolchain-19/llvm-toolchain-19_19.1.7.orig.tar.xz ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce
'
# The snapshot of that archive keeps what the live one replaces. SOURCES_FROM: mirrors that are asked instead.
snapshot=https://snapshot.debian.org/archive
servers=${SOURCES_FROM:-"$snapshot/debian/20261120T000000Z/pool $snapshot/debian-security/20261120T000000Z/pool/updates"}

# fetch NAME: unpacks its sources into $here/NAME.
fetch() {
  local place sum server url file=$here/$1.tar
  read -r place sum < <(sed -n "s/^$1 //p" <<<"$sources")
  local -a urls=("$place")
  if [[ $place != https:* ]]; then
    urls=()
    for server in $servers; do urls+=("$server/$place"); done
  fi
  for url in "${urls[@]}"; do
    if curl -fsSL --retry 3 -o "$file" "$url" && sha256sum --check --status <<<"$sum  $file"; then
      mkdir "$here/$1"
      tar -C "$here/$1" --strip-components=1 -xf "$file"
      return
    fi
  done
  echo "libraries.sh: $place: no server has the file with SHA-256 $sum" >&2
  exit 1
}

# by_cmake NAME FLAG...
by_cmake() {
  local from=$here/$1
  shift
  cmake -S "$from" -B "$from/made" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF "$@"
  cmake --build "$from/made" -j "$jobs"
  cmake --install "$from/made"
}

make_zlib() { cd "$here/zlib" && ./configure --static --prefix="$prefix" && make -j "$jobs" libz.a && make install; }
make_zstd() { make -C "$here/zstd/lib" -j "$jobs" PREFIX="$prefix" install-static install-includes; }
make_xz() { by_cmake xz -DCREATE_XZ_SYMLINKS=OFF -DCREATE_LZMA_SYMLINKS=OFF; }
make_deflate() {
  make -C "$here/deflate" -j "$jobs" libdeflate.a
  install -D -m 644 -t "$prefix/lib" "$here/deflate/libdeflate.a"
  install -D -m 644 -t "$prefix/include" "$here/deflate/libdeflate.h"
}
make_fmt() { by_cmake fmt -DFMT_TEST=OFF -DFMT_DOC=OFF; }
make_json() { by_cmake json -DJSON_BuildTests=OFF; }
make_cli11() { by_cmake cli11 -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF; }
make_toml() { mkdir -p "$prefix/include" && cp -r "$here/toml/include/toml++" "$prefix/include/"; }
make_re2() { by_cmake re2 -DRE2_BUILD_TESTING=OFF; }
make_seccomp() {
  cd "$here/seccomp" && ./configure --prefix="$prefix" --libdir="$prefix/lib" --disable-shared --enable-static
  make -j "$jobs" -C include install
  make -j "$jobs" -C src install
}
make_openssl() {
  cd "$here/openssl" && ./config --prefix="$prefix" --libdir=lib no-shared no-tests no-module no-legacy no-ssl no-tls
  make -j "$jobs" build_generated libcrypto.a libssl.a openssl.pc libcrypto.pc libssl.pc && make install_dev
}
# ZIP with deflate, and packages of distributions: gzip, xz and zstd.
make_archive() {
  local -a off=()
  local part
  for part in MBEDTLS NETTLE OPENSSL LIBB2 LZ4 LZO BZip2 LIBXML2 EXPAT PCREPOSIX LIBGCC CNG TAR CPIO CAT XATTR \
    ACL ICONV TEST; do
    off+=("-DENABLE_$part=OFF")
  done
  by_cmake archive "${off[@]}"
  rm "$prefix"/lib/libarchive.so*
}
# Of LLVM only what reads object files, and no more of a machine than its name.
make_llvm() {
  local components="cmake-exports;llvm-headers" part
  for part in Object BinaryFormat Demangle Support TargetParser BitReader BitstreamReader Core IRReader AsmParser MC \
    MCParser TextAPI Remarks DebugInfoCodeView; do
    components+=";LLVM$part"
  done
  local made=$here/llvm/made
  cmake -S "$here/llvm/llvm" -B "$made" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_FIND_LIBRARY_SUFFIXES=.a -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DLLVM_TARGETS_TO_BUILD= -DLLVM_INCLUDE_TESTS=OFF -DLLVM_INCLUDE_BENCHMARKS=OFF -DLLVM_INCLUDE_EXAMPLES=OFF \
    -DLLVM_INCLUDE_DOCS=OFF -DLLVM_ENABLE_ZLIB=FORCE_ON -DLLVM_ENABLE_ZSTD=FORCE_ON -DLLVM_USE_STATIC_ZSTD=ON \
    -DLLVM_ENABLE_LIBXML2=OFF -DLLVM_ENABLE_LIBEDIT=OFF -DLLVM_ENABLE_LIBPFM=OFF \
    -DLLVM_DISTRIBUTION_COMPONENTS="$components"
  ninja -C "$made" -j "$jobs" install-distribution
}

names=("$@")
if [[ ${#names[@]} -eq 0 ]]; then
  tools=(gperf perl-core)
  if [[ $(uname -m) == x86_64 ]]; then tools+=(nasm); fi
  dnf -y -q --enablerepo=powertools install "${tools[@]}"
  PATH=/opt/python/cp312-cp312/bin:$PATH
  python -m pip install -q ninja
  mapfile -t names < <(awk 'NF { print $1 }' <<<"$sources")
fi
for name in "${names[@]}"; do
  fetch "$name"
  (make_"$name")
done
