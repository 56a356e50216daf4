// What of the code that stays can be left out line by line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/prefilter/lines.h"
#include "python/prefilter/mentions.h"

namespace wheelcheck::python {

struct Parts {
  // By function of the text: it stays; an import may run it, so that all of it matters.
  std::vector<bool> kept, whole;
  bool module = false;  // of the module's own code all matters
};

// By line: documentation; assignments that call nothing, to names that stand nowhere else; what a `raise` raises, where
// no function that stays makes it. Where not all matters, what neither loads nor changes a name whose value matters,
// and what is returned where nobody asks. Of functions that do not stay the parameters, and all where their names stand
// nowhere.
std::vector<Cut> prune(const Lines& code, const Mentions& read, const Parts& parts);

// What of a file its import can run: the syntax tree of a large package costs seconds, and most of its code stands in
// functions that no import calls and that import nothing.

// The source without comments, documentation, and the bodies of functions that hold no import and no `global`, and
// whose names are called nowhere in what is left; lines keep their numbers. Text that cannot be split into lines and
// strings comes back as it is.
std::string skeleton(std::string_view source);

// What of a file can matter to the calls that open libraries. Parsing costs far more than inflating, and most of the
// code of a file with such a call has nothing to do with it.

enum class Detail : std::uint8_t {
  Calls,
  Events,  // and what else a file with such calls does when it is imported
};

// The source without comments, documentation and the bodies of functions that have nothing to do with loading; lines
// keep their numbers. What stays are functions that contain a word of `loading_words`, those that use them
// or give them what they use, as far as names tell, and for events those that importing the file may run; of these,
// what python/prefilter/prune.h leaves. Nothing where no such word stands outside of comments and documentation. Text
// that cannot be split into lines and strings comes back as it is.
std::optional<std::string> loading_code(std::string_view source, Detail detail);

// The words without which no call that opens a library can be written.

inline constexpr auto loading_words =
    std::to_array<std::string_view>({"setdlopenflags", "CDLL", "PyDLL", "LoadLibrary", "cdll", "pydll", "dlopen",
                                     "find_library", "load_op_library", "load_library"});

// Whether it is one of them.
inline bool is_loading_word(std::string_view name) {
  if (name.size() < 4 || name.size() > 15) return false;
  return name == "_dlopen" || std::ranges::find(loading_words, name) != loading_words.end();
}

// Whether one stands anywhere in it.
bool holds_loading_word(std::string_view text);

// Whether "setdlopenflags" does.
bool holds_flags_word(std::string_view text);

}  // namespace wheelcheck::python
