#include "text.h"

namespace text {

int length_of(const std::string& words) { return static_cast<int>(words.size()); }
long Document::pages() const { return pages_; }

}  // namespace text
