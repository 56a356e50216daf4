// WC803: files that are named as extension modules, but that no interpreter could import.
#include <fmt/format.h>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::init_missing {
namespace {

void check(const WheelView& view, const Emit& emit) {
  std::vector<std::string> files;
  std::optional<ElfIndex> first;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    if (!std::holds_alternative<PlainLibrary>(file.role)) return;
    if (suffix_of(view.wheel.members[file.member.value].path.name()).kind == ModuleSuffix::Kind::None) return;
    if (!first) first = index;
    files.emplace_back(path_of(view, index));
  });
  if (files.empty()) return;
  const bool one = files.size() == 1;
  emit({.place = one ? Place(AtElf{*first}) : Place(WholeWheel{}),
        .message = one ? "is named as an extension module, but exports no PyInit_ or PyModExport_ function"
                       : fmt::format("{} are named as extension modules, but export no PyInit_ or PyModExport_ "
                                     "function: {}",
                                     count_of(files.size(), "file"), first_of(files)),
        .evidence = {{"files", list_of(files)}},
        .fix =
            "export the function (PyMODINIT_FUNC PyInit_NAME), or, for a library that ctypes or cffi opens, drop the "
            "interpreter's part of the file name"});
}

}  // namespace

extern const Rule rule{
    .code = "WC803",
    .name = "init-missing",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::init_missing
