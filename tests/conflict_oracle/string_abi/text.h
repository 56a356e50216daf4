// A C++ library. Each wheel has a build of its own, with one of the two std::string types of libstdc++.
#pragma once

#include <string>

namespace text {

// The mangled name of this function shows the std::string type; that of the next one does not.
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
