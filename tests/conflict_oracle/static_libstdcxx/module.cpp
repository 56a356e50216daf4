// Numbers written to a stream, by the facet num_put of whichever libstdc++ answers.
#include "module.h"

#include <sstream>
#include <string>

static std::string made() {
  std::ostringstream out;
  out << "value " << 42;
  return out.str();
}

TEXT(text, made().c_str())
MODULE(_text, METHOD(text))
