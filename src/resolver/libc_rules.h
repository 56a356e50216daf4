// The differences between three dynamic loaders, glibc, musl and bionic, as tables. Other code tests `Dialect`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/platform.h"

namespace wheelcheck::resolver {

enum class LoaderKind { Glibc, Musl, Bionic };

LoaderKind loader_of(Libc libc);  // None: glibc, the most common

// True if the process has this library before a wheel is loaded, so that there is no search for it. In a program of the
// wheel only the dynamic loader is loaded in advance; see `promised_to_programs`.
bool in_process(std::string_view name, LoaderKind loader_kind, bool program);
// True if a program can rely on the platform for this library, if the search finds no other file.
bool loaded_in_programs(std::string_view name, LoaderKind loader_kind);

// Replaces the dynamic string tokens in a search path element or a DT_NEEDED entry (gABI 5, "Substitution Sequences").
// $ORIGIN is replaced by `origin`, a path below the installation prefix. $LIB and $PLATFORM differ between
// distributions and processors, so there is one result for each known meaning, and a library counts as found only if
// all results lead to it. Empty: the text does not start with $ORIGIN, so it leads out of the wheel (an absolute path)
// or to the working directory; or the token is unknown on this architecture.
std::vector<std::string> expand(std::string_view text, std::string_view origin, Arch arch, LoaderKind loader_kind);

// The same with one meaning for each token, as on a known machine. nullopt if the result is longer than any path can
// be.
struct Tokens {
  std::string_view origin, lib, platform;
};
std::optional<std::string> replace_tokens(std::string_view text, const Tokens& tokens, LoaderKind loader_kind);

// musl ignores a whole DT_RPATH or DT_RUNPATH that contains a '$' other than in $ORIGIN (ldso/dynlink.c, fixup_rpath).
bool has_unknown_token_for_musl(std::string_view text);

}  // namespace wheelcheck::resolver
