// Writes numbers to a stream with the facet num_put of the libstdc++ that the symbol is bound to.
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
