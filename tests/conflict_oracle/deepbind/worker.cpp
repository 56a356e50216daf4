// A worker that prints, formats, creates a reply and throws one.
#include <iostream>
#include <locale>
#include <typeinfo>

#include "message.h"

extern "C" {
void run_print() { std::cout << "worker " << 42 << std::endl; }
bool run_has_facet() {
  try {
    std::use_facet<std::num_put<char>>(std::locale::classic());
    return true;
  } catch (const std::bad_cast&) {
    return false;
  }
}
Message* run_make() { return new Reply; }
void run_throw() { throw Reply(); }
const void* run_type_id() { return type_id<Reply>(); }
const void* run_typeinfo() { return &typeid(Reply); }
}
