// The facts of one ELF file, written in C++; facts.h adds the wheel.
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

// Builds one ELF file. The default is x86_64, glibc, a shared object with section headers, a PT_GNU_STACK without PF_X,
// and the role that the path suggests (see role_of_path). A builder can be copied and used again.
class ElfBuilder {
 public:
  // A step changes the member; texts that facts point into are added to the pool.
  using Step = std::function<void(ElfMember&, StringPool&)>;

  explicit ElfBuilder(std::string path);
  // Defined in the .cpp file, so that not every test compiles the destructors of all facts.
  ElfBuilder(const ElfBuilder&);
  ElfBuilder(ElfBuilder&&) noexcept;
  ElfBuilder& operator=(const ElfBuilder&);
  ElfBuilder& operator=(ElfBuilder&&) noexcept;
  ~ElfBuilder();

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
  ElfBuilder& names_library(std::string text);  // a string of the data that contains ".so"
  ElfBuilder& says(std::string text);           // a string of the data that contains a version
  ElfBuilder& comment(std::string text);        // a text of .comment
  // Any other change of the facts.
  ElfBuilder& facts(std::function<void(ElfFacts&, StringPool&)> change);
  // nullopt: there is no PT_GNU_STACK.
  ElfBuilder& executable_stack(std::optional<bool> executable, std::optional<bool> trampolines = false);
  ElfBuilder& flags(std::function<void(LoaderFlags&)> change);
  ElfBuilder& flaw(ElfArea area, bool fatal, std::string reason);
  ElfBuilder& no_dynamic();  // a static program or a relocatable object; later steps must not touch `dynamic`
  // Any other change of the member. Texts must be in the pool or literals.
  ElfBuilder& edit(std::function<void(ElfMember&)> change);
  ElfBuilder& add(Step step);

  const std::string& path() const { return path_; }
  ElfMember build(MemberIndex member) const;

  // In *.libs/: a bundled library. NAME.so or NAME.cpython-311-...so: an extension module, unless NAME starts with
  // "lib". A name without ".so": a program. Otherwise a plain library.
  static ElfRole role_of_path(std::string_view path);

 private:
  std::string path_;
  std::vector<Step> steps_;
};

}  // namespace wheelcheck::test
