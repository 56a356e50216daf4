// A C++ library of which each wheel has its own build, for the one or the other std::string of libstdc++.
#pragma once

#include <string>

namespace text {

// The name of this function tells of which string it is; that of the next one does not.
int length_of(const std::string& words);

class Document {
 public:
  Document(const char* title, long pages) : title_(title), pages_(pages) {}
  long pages() const;

 private:
  std::string title_;
  long pages_;
};

}  // namespace text
