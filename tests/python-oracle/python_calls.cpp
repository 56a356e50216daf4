// Reads file names from stdin, one a line, and prints what src/python finds in each, for python_oracle_test.py:
// `file <TAB> line <TAB> call <TAB> reach <TAB> global <TAB> library`, and a line `file <TAB> broken` where it applies.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "base/text.h"
#include "python/read.h"

int main() {
  for (std::string file; std::getline(std::cin, file);) {
    std::ifstream in(file, std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    if (!wheelcheck::python::is_worth_parsing(source)) continue;
    const wheelcheck::PythonFile read = wheelcheck::python::read_source(source, {});
    if (read.broken) fmt::print("{}\tbroken\n", file);
    for (const wheelcheck::PythonCall& call : read.calls)
      fmt::print("{}\t{}\t{}\t{}\t{}\t{}\n", file, call.line, wheelcheck::name_of(call.call),
                 wheelcheck::name_of(call.reach), call.global ? "global" : "-",
                 wheelcheck::escape(call.library.value_or("?")));
  }
}
