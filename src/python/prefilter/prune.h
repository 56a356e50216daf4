// The prefilter of the Python parser. Parsing is slow, and most code of a wheel cannot open a library. The prefilter
// removes such code by looking only at tokens and names. The first part removes single lines of code that is kept.
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
  // By function of the text. `kept`: the function is kept. `whole`: an import may run it, so all of its code is
  // relevant.
  std::vector<bool> kept, whole;
  bool module = false;  // all code at module level is relevant
};

// The cuts by line. These lines are removed:
//  - documentation;
//  - assignments without a call to names that are not used elsewhere;
//  - the argument of a `raise`, if no kept function creates it;
//  - in code that is not completely relevant: statements that neither load nor change a relevant name, and return
//    values that are not used;
//  - of functions that are not kept: the parameters, and the whole definition if the name is not used.
std::vector<Cut> prune(const Lines& code, const Mentions& read, const Parts& parts);

// --- code that an import runs -------------------------------------------------------------------------------------

// The syntax tree of a large package costs seconds, and most of its code is in functions that no import calls and that
// import nothing.

// The source without comments, documentation, and the bodies of functions that contain no import and no `global` and
// that are not called in the rest. Line numbers do not change. A text that cannot be split into lines and strings is
// returned unchanged.
std::string skeleton(std::string_view source);

// The same without the body of any function.
std::string without_functions(std::string_view source);

// The source without most elements of lists, tuples, sets and dictionaries that consist of numbers only: tables of
// data. Their lengths change, line numbers do not.
std::string without_numbers(std::string_view source);

// --- code that is relevant to loading -----------------------------------------------------------------------------

// Parsing costs much more than decompressing, and most code of a file with a loading call is not related to it.

enum class Detail : std::uint8_t {
  Calls,
  Events,  // also the other events of a file with such calls
};

// The source without comments, documentation and the bodies of functions that are not related to loading. Line numbers
// do not change. These functions are kept: those that contain a loading word, those that use them or provide values to
// them (judging by names), and for Events those that an import may run. Of the kept code, lines are removed as above.
// nullopt if no loading word occurs outside of comments and documentation. A text that cannot be split into lines and
// strings is returned unchanged.
std::optional<std::string> loading_code(std::string_view source, Detail detail);

// Every call that opens a library contains one of these words.

inline constexpr auto loading_words =
    std::to_array<std::string_view>({"setdlopenflags", "CDLL", "PyDLL", "LoadLibrary", "cdll", "pydll", "dlopen",
                                     "find_library", "load_op_library", "load_library"});

// True for one of these words.
inline bool is_loading_word(std::string_view name) {
  if (name.size() < 4 || name.size() > 15) return false;
  return name == "_dlopen" || std::ranges::find(loading_words, name) != loading_words.end();
}

// True if one of them occurs anywhere in the text.
bool holds_loading_word(std::string_view text);

// True if "setdlopenflags" occurs in the text, also as texts that Python joins: 'setdlopen' 'flags'.
bool holds_flags_word(std::string_view text);

}  // namespace wheelcheck::python
