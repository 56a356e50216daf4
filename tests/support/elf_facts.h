// The facts of one ELF file, written in C++: see facts.h, which adds the wheel around it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/platform.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::test {

// One ELF file. Unless told otherwise: x86_64, glibc, a shared object, with section headers, a PT_GNU_STACK without
// PF_X, and the role that its path suggests (see role_of_path). A builder can be copied and used again.
class ElfBuilder {
 public:
  // What a step changes: the member under construction, and the pool for text that facts point into.
  using Step = std::function<void(ElfMember&, StringPool&)>;

  explicit ElfBuilder(std::string path) : path_(std::move(path)) {}

  ElfBuilder& arch(Arch arch);
  ElfBuilder& libc(Libc libc);
  ElfBuilder& role(ElfRole role);
  ElfBuilder& kind(ElfKind kind);
  ElfBuilder& use(MachineUse use);
  ElfBuilder& isa(std::uint32_t needed_bits);  // 2 v2, 4 v3, 8 v4
  ElfBuilder& interpreter(std::string path);
  ElfBuilder& soname(std::string name);
  ElfBuilder& needed(std::string library);
  ElfBuilder& rpath(std::string element);
  ElfBuilder& runpath(std::string element);
  // A version need without a symbol.
  ElfBuilder& need(std::string library, std::string version, bool weak = false);
  // An unversioned import.
  ElfBuilder& import(std::string name, bool weak = false);
  // An import of name@version from `library`; adds the version need, but no DT_NEEDED.
  ElfBuilder& import(std::string name, std::string library, std::string version, bool weak = false);
  ElfBuilder& defines(std::string version);  // a Verdef
  // A default-visibility function; with a version, name@@version.
  ElfBuilder& exports(std::string name, std::string version = "");
  // A symbol of any kind: data, UNIQUE, sized.
  ElfBuilder& exports(std::string name, SymbolKind kind, Binding binding = Binding::Global, std::uint64_t size = 8);
  ElfBuilder& names_library(std::string text);  // a string of the data that holds ".so"
  ElfBuilder& says(std::string text);           // a string of the data that holds a version
  ElfBuilder& comment(std::string text);        // of .comment
  // Anything else.
  ElfBuilder& facts(std::function<void(ElfFacts&, StringPool&)> change);
  ElfBuilder& executable_stack(std::optional<bool> executable);  // nullopt: there is no PT_GNU_STACK
  ElfBuilder& flags(std::function<void(LoaderFlags&)> change);
  ElfBuilder& flaw(ElfArea area, bool fatal, std::string reason);
  ElfBuilder& no_dynamic();  // a static program or a relocatable object; later steps must not touch `dynamic`
  // Anything else. Text must come from the pool, or from a literal.
  ElfBuilder& edit(std::function<void(ElfMember&)> change);
  ElfBuilder& add(Step step);

  const std::string& path() const { return path_; }
  ElfMember build(MemberIndex member) const;

  // In *.libs/: a bundled library. NAME.so or NAME.cpython-311-...so: an extension module, unless NAME starts with
  // "lib". A name without ".so": a program. Else a plain library.
  static ElfRole role_of_path(std::string_view path);

 private:
  std::string path_;
  std::vector<Step> steps_;
};

}  // namespace wheelcheck::test
