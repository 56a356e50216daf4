// Reads file names from stdin, one a line, and prints what src/python finds in each, for python_oracle_test.py:
// `file <TAB> line <TAB> call <TAB> reach <TAB> global <TAB> library`, and a line `file <TAB> broken` where it applies.
// `file <TAB> differs <TAB> ...` is a call that only one of the ways of reading finds: whole, or what loads alone.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "base/text.h"
#include "python/read.h"

namespace {

using namespace wheelcheck;

std::vector<std::string> rows_of(const PythonFile& file) {
  std::vector<std::string> rows;
  for (const PythonCall& call : file.calls)
    rows.push_back(fmt::format("{}\t{}\t{}\t{}\t{}", call.line, name_of(call.call), name_of(call.reach),
                               call.global ? "global" : "-", escape(call.library.value_or("?"))));
  return rows;
}

}  // namespace

int main() {
  for (std::string name; std::getline(std::cin, name);) {
    std::ifstream in(name, std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    if (!python::is_worth_parsing(source)) continue;
    const PythonFile whole = python::read_source(source, {});
    if (whole.broken) fmt::print("{}\tbroken\n", name);
    std::vector<std::string> all = rows_of(whole);
    for (const std::string& row : all) fmt::print("{}\t{}\n", name, row);
    std::ranges::sort(all);
    for (const python::Detail told : {python::Detail::Calls, python::Detail::Events}) {
      std::vector<std::string> loads = rows_of(python::read_loads(source, {}, told).value_or(PythonFile{})), differ;
      std::ranges::sort(loads);
      std::ranges::set_symmetric_difference(all, loads, std::back_inserter(differ));
      for (const std::string& row : differ) fmt::print("{}\tdiffers\t{}\n", name, row);
    }
  }
}
