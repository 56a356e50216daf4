// Allocates an object, and frees it through a function of libstdc++ that calls operator delete.
#include "module.h"

#include <string>

static const char* made() {
  static std::string text;
  auto* const copy = new std::string("a text that is longer than what a string holds in itself");
  text = *copy;
  delete copy;
  return text.c_str();
}

TEXT(text, made())
MODULE(_text, METHOD(text))
