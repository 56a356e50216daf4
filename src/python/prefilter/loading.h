// What of a file can matter to the calls that open libraries. Parsing costs far more than inflating, and most of the
// code of a file with such a call has nothing to do with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck::python {

enum class Told : std::uint8_t {
  Calls,
  Events,  // and what else a file with such calls does when it is imported
};

// The source without comments, documentation and the bodies of functions that have nothing to do with loading; lines
// keep their numbers. What stays are functions that hold a loading word (python/prefilter/words.h), those that use them
// or give them what they use, as far as names tell, and for events those that importing the file may run; of these,
// what python/prefilter/prune.h leaves. Nothing where no such word stands outside of comments and documentation. Text
// that cannot be split into lines and strings comes back as it is.
std::optional<std::string> loading_code(std::string_view source, Told told);

}  // namespace wheelcheck::python
