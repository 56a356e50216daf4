// Three dynamic loaders read the same DT_ entries differently: glibc, musl and bionic. What differs and is no more than
// a table lives here; the rest asks `Dialect`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/platform.h"

namespace wheelcheck::resolver {

enum class LoaderKind { Glibc, Musl, Bionic };

LoaderKind loader_of(Libc libc);  // Libc::None: glibc, the most common

// The process has this library before any wheel is loaded, and no search takes place for it. In a program of the wheel
// only the dynamic loader itself is there already; see `promised_to_programs`.
bool in_process(std::string_view name, LoaderKind loader_kind, bool program);
// A program's search ends at the platform's C library if nothing nearer answers.
bool loaded_in_programs(std::string_view name, LoaderKind loader_kind);

// The dynamic string tokens of a search path element or a DT_NEEDED (gABI 5, "Substitution Sequences") replaced:
// $ORIGIN by `origin`, a path below the installation prefix. $LIB and $PLATFORM stand for something else on every
// distribution and processor, so there is one text for each known meaning, and what is found counts only if all find
// it. Empty: the text does not begin at $ORIGIN, so it leads out of the wheel (an absolute path) or to the working
// directory; or no machine of this architecture knows the token.
std::vector<std::string> expand(std::string_view text, std::string_view origin, Arch arch, LoaderKind loader_kind);

// The same where every token has one meaning, as on a machine that is known; nothing where the text gets longer than
// any path.
struct Tokens {
  std::string_view origin, lib, platform;
};
std::optional<std::string> replace_tokens(std::string_view text, const Tokens& tokens, LoaderKind loader_kind);

// musl gives up a whole DT_RPATH or DT_RUNPATH in which a '$' begins anything but $ORIGIN (ldso/dynlink.c,
// fixup_rpath).
bool has_unknown_token_for_musl(std::string_view text);

}  // namespace wheelcheck::resolver
