// Cython/Utility/ImportExport.c: while the module is initialised, it calls for each function
//    __Pyx_ExportFunction("f", (void (*)(void))f, "int (int, double)")
//    __Pyx_ImportFunction(module, "f", (void (**)(void))&pointer, "int (int, double)")
//    __Pyx_ImportType(module, "numpy", "dtype", sizeof(PyArray_Descr), check)              before Cython 3
//    __Pyx_ImportType(module, "numpy", "dtype", sizeof(PyArray_Descr), alignment, check)
// with addresses relative to the instruction (lea). The module is the result of PyImport_ImportModule("pkg.mod")
// before. GCC removes a signature that is the same in all calls (-fipa-cp). Only calls in the code that runs when the
// file is loaded are read, and a call is believed only if all arguments are of the right kind, a name, a signature and
// the address of code or of a writable pointer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "elf/code.h"
#include "elf/interfaces.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t max_functions = 2000, longest_text = 512;
constexpr std::size_t argument_window = 48;  // bytes of code from an argument to the call
constexpr std::size_t kept_window = 4096;    // the same for a register that calls keep
enum Register : std::size_t { Rcx = 1, Rdx = 2, Rsi = 6, Rdi = 7, R8 = 8, R9 = 9 };
constexpr std::uint32_t largest_object = 1 << 20, smallest_object = 16, max_checks = 2;

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_'; });
}
bool is_module_name(std::string_view text) {
  const std::size_t dot = text.find('.');
  return is_name(text.substr(0, dot)) && (dot == std::string_view::npos || is_module_name(text.substr(dot + 1)));
}
// "int (int, double)": a type and its arguments, as Cython writes them.
bool is_signature(std::string_view text) {
  const std::size_t open = text.find('(');
  return open != std::string_view::npos && open > 1 && text.ends_with(')') &&
         (text[open - 1] == ' ' || text[open - 1] == '*') && std::ranges::all_of(text, [](char c) {
           return is_alnum(c) || std::string_view("_ *(),.[]<>:&").find(c) != std::string_view::npos;
         });
}

// What the calls say. The texts are copied, because each occurs many times.
struct CapiCalls {
  std::set<CythonFunction> exports, imports;
  std::set<std::string_view> modules;
  std::set<ImportedType> types;
  std::size_t size() const { return exports.size() + imports.size() + modules.size() + types.size(); }
};

class CapiReader {
 public:
  // types: the module imports types of other modules.
  CapiReader(const Image& image, bool types, CapiCalls& found, StringPool& pool)
      : image_(image), types_(types), found_(found), pool_(pool) {}

  // loads: addresses of `lea r64, [rip + disp32]`, sorted; the other ones are passed over.
  void read(const Code& code, std::span<const std::uint64_t> loads) {
    code_ = code;
    attempts_left_ += code.bytes.size() / 1024;
    next_ = called_ = 0;
    for (const std::uint64_t load : loads) {
      if (!code.contains(load)) continue;
      const std::size_t at = load - code.address;
      if (at + 7 > code_.bytes.size() || (code_.at(at) | 4) != 0x4C || (code_.at(at + 2) & 0xC7) != 5) continue;
      calls_before(at);
      registers_[number(code_.at(at), code_.at(at + 2))] = {code_.relative(at + 3), at};
      next_ = at + 7;
      if (found_.size() >= max_functions) break;
    }
    calls_before(code_.bytes.size());
    registers_ = {};
    module_ = {};
  }

 private:
  struct Value {
    std::uint64_t address = 0;
    std::size_t at = 0;
  };
  // The first call after the last lea ends the life of its arguments.
  void calls_before(std::size_t end) {
    if (next_ == 0) return;
    for (std::size_t at = next_; at + 5 <= std::min(end, next_ + argument_window); ++at)
      if (code_.at(at) == 0xE8 && image_.is_executable(code_.relative(at + 1))) {
        call(at);
        for (const std::size_t lost : {0, 1, 2, 6, 7, 8, 9, 10, 11}) registers_[lost] = {};
        next_ = 0;
        called_ = at + 5;
        return;
      }
  }
  // The constant that an instruction between the last call and this one puts into ecx, r8d or r9d. nullopt: there is
  // none, or more than one.
  std::optional<std::uint32_t> constant(Register reg, std::size_t call) const {
    std::optional<std::uint32_t> value;
    std::size_t at = std::max(called_, call - std::min(call, 2 * argument_window));
    while (at + 5 <= call) {
      const auto here = std::ranges::find(registers_, at, &Value::at);
      if (here != registers_.end() && here->address != 0) {
        at += 7;
        continue;
      }
      const std::uint8_t first = code_.at(at), second = code_.at(at + 1), third = code_.at(at + 2);
      std::size_t length = 0;
      if (reg == Rcx && first == 0xB9 && (at == called_ || (code_.at(at - 1) & 0xF0) != 0x40)) length = 5;
      if (reg != Rcx && first == 0x41 && second == 0xB0 + reg) length = 6;  // mov r8d, imm32
      const bool zero = first == 0x45 && second == 0x31 && third == (reg == R8 ? 0xC0 : 0xC9);
      if (length != 0 || (zero && reg != Rcx)) {
        const std::uint32_t found = length == 0 ? 0 : code_.word(at + length - 4);
        if (value && *value != found) return std::nullopt;
        value = found;
      }
      ++at;
    }
    return value;
  }
  // The register in the middle of a ModRM byte. `rex`: the prefix, with bit 2 for r8 to r15.
  static std::size_t number(std::uint8_t rex, std::uint8_t modrm) { return (modrm >> 3 & 7U) + ((rex & 4U) << 1U); }
  // The same as argument(), also if the address was loaded before an earlier call and is copied (mov) for this one.
  std::optional<std::uint64_t> copied(Register reg, std::size_t call) const {
    if (const auto direct = argument(reg, call)) return direct;
    for (std::size_t at = call; at-- > std::max(called_, call - std::min(call, argument_window));) {
      if ((code_.at(at) | 4) != 0x4C || code_.at(at + 1) != 0x89 || (code_.at(at + 2) & 0xC7) != (0xC0 | reg)) continue;
      const Value& value = registers_[number(code_.at(at), code_.at(at + 2))];
      if (value.address == 0 || call - value.at > kept_window) return std::nullopt;
      return value.address;
    }
    return std::nullopt;
  }
  std::optional<std::uint64_t> argument(Register reg, std::size_t call) const {
    const Value& value = registers_[reg];
    if (value.address == 0 || call - value.at > argument_window) return std::nullopt;
    return value.address;
  }
  std::string_view text(std::optional<std::uint64_t> address) const {
    if (!address || image_.writable_space(*address) != 0) return {};
    const auto bytes = image_.from(*address, longest_text);
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t end = all.find('\0');
    return end == std::string_view::npos ? std::string_view() : all.substr(0, end);
  }
  void call(std::size_t at) {
    const auto first = argument(Rdi, at), second = argument(Rsi, at), third = argument(Rdx, at);
    if (first && !second && !third) module_ = text(first);
    if (types_ && !first) import_type(at);
    if (!third) return;  // most calls
    const std::string_view name = text(first), signature = text(third);
    // The address of an exported function is loaded from the GOT.
    if (is_name(name) && is_signature(signature) && (!second || image_.is_executable(*second))) {
      add_function(found_.exports, name, signature);
      return;
    }
    const std::string_view imported = text(second), imported_signature = text(argument(Rcx, at));
    if (first || image_.writable_space(*third) == 0 || !is_name(imported)) return;
    if (is_module_name(module_) && !found_.modules.contains(module_)) found_.modules.insert(pool_.add(module_));
    if (is_signature(imported_signature)) add_function(found_.imports, imported, imported_signature);
  }
  void add_function(std::set<CythonFunction>& functions, std::string_view name, std::string_view signature) {
    if (!functions.contains({name, signature})) functions.insert({pool_.add(name), pool_.add(signature)});
  }

  void import_type(std::size_t at) {
    const std::string_view module = text(copied(Rsi, at));
    if (!is_module_name(module)) return;  // most calls
    const std::string_view type = text(copied(Rdx, at));
    if (!is_name(type) || attempts_left_ == 0) return;
    --attempts_left_;
    const auto size = constant(Rcx, at), eighth = constant(R8, at), ninth = constant(R9, at);
    if (!size || *size < smallest_object || *size > largest_object || *size % 4 != 0) return;
    // CheckSize_Error is 0: another size is an error. With other checks only a smaller object is one.
    const auto check = ninth ? ninth : eighth;
    // CheckSize_Ignore is 2. Otherwise it is CheckSize_Warn: of a larger object, Python prints a RuntimeWarning. GCC
    // removes the argument if all calls have the same.
    if (check && *check > max_checks) return;
    const std::string name = fmt::format("{}.{}", module, type);
    ImportedType imported{.name = name, .size = *size, .exact = check == 0U, .warns = check != 0U && check != 2U};
    if (found_.types.contains(imported)) return;
    imported.name = pool_.add(name);
    found_.types.insert(imported);
  }

  const Image& image_;
  bool types_;
  CapiCalls& found_;
  StringPool& pool_;
  Code code_;
  std::size_t next_ = 0;    // where to look for a call; 0: nowhere
  std::size_t called_ = 0;  // behind the last call
  std::size_t attempts_left_ = 256;
  std::string_view module_;  // the only argument of a call: PyImport_ImportModule("pkg.mod")
  std::array<Value, 16> registers_{};
};

}  // namespace

bool may_have_cython_capi(const DynamicFacts& facts, bool checks_sizes) {
  const auto is_capsule = [](const Import& import) {
    return import.name == "PyCapsule_New" || import.name == "PyCapsule_GetPointer";
  };
  return checks_sizes || std::ranges::any_of(facts.imports, is_capsule);
}

void read_cython_capi(const File& file, const Image& image, std::span<const Segment> segments, const Header& header,
                      bool checks_sizes, std::span<const std::uint64_t> loads, InterfaceFacts& facts,
                      StringPool& pool) {
  if (!is_x86_64(header)) return;
  CapiCalls found;
  CapiReader reader(image, checks_sizes, found, pool);
  for (const Code& code : code_of(file, image, segments, header)) reader.read(code, loads);
  facts.cython_exports.assign(found.exports.begin(), found.exports.end());
  facts.cython_imports.assign(found.imports.begin(), found.imports.end());
  facts.cython_modules.assign(found.modules.begin(), found.modules.end());
  facts.imported_types.assign(found.types.begin(), found.types.end());
}

}  // namespace wheelcheck::elf
