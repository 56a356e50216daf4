// Cython/Utility/ImportExport.c: while the module is initialised, it calls for each function
//    __Pyx_ExportFunction("f", (void (*)(void))f, "int (int, double)")
//    __Pyx_ImportFunction(module, "f", (void (**)(void))&pointer, "int (int, double)")
// with addresses relative to the instruction (lea). The module is the result of PyImport_ImportModule("pkg.mod")
// before. Machine code is not disassembled: a call is believed only if all arguments are of the right kind, a name, a
// signature and the address of code or of a writable pointer.
#include "elf/cython_capi.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "base/byte_scan.h"
#include "base/text.h"
#include "elf/code.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t most_functions = 2000, longest_text = 512;
constexpr std::size_t argument_window = 48;  // bytes of code from an argument to the call
enum Register : std::size_t { Rcx = 1, Rdx = 2, Rsi = 6, Rdi = 7 };

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_'; });
}
// "int (int, double)": a type and its arguments, as Cython writes them.
bool is_signature(std::string_view text) {
  const std::size_t open = text.find('(');
  return open != std::string_view::npos && open > 1 && text.ends_with(')') &&
         (text[open - 1] == ' ' || text[open - 1] == '*') && std::ranges::all_of(text, [](char c) {
           return is_alnum(c) || std::string_view("_ *(),.[]<>:&").find(c) != std::string_view::npos;
         });
}

class CapiReader {
 public:
  CapiReader(const Image& image, std::set<std::string>& found) : image_(image), found_(found) {}

  void read(const Code& code) {
    code_ = code;
    next_ = 0;
    const auto tells = [](const auto& c, const auto& d, auto& marks) { marks = (c == 0x48) & (d == 0x8D); };
    any_pair(code.text(), 0, code.bytes.size(), tells, [&](std::size_t at) {
      if (at + 7 > code_.bytes.size() || (code_.at(at + 2) & 0xC7) != 5) return false;  // lea r64, [rip + disp32]
      calls_before(at);
      registers_[code_.at(at + 2) >> 3 & 7] = {code_.relative(at + 3), at};
      next_ = at + 7;
      return found_.size() >= most_functions;
    });
    calls_before(code_.bytes.size());
    registers_ = {};
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
        registers_ = {};
        next_ = 0;
        return;
      }
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
    if (!third) return;  // most calls
    const std::string_view name = text(first), signature = text(third);
    // The address of an exported function is loaded from the GOT.
    if (is_name(name) && is_signature(signature) && (!second || image_.is_executable(*second))) {
      found_.insert("capi export " + std::string(name) + ": " + std::string(signature));
      return;
    }
    const std::string_view imported = text(second), imported_signature = text(argument(Rcx, at));
    if (!first && third && image_.writable_space(*third) != 0 && is_name(imported) && is_signature(imported_signature))
      found_.insert("capi import " + std::string(imported) + ": " + std::string(imported_signature));
  }

  const Image& image_;
  std::set<std::string>& found_;
  Code code_;
  std::size_t next_ = 0;  // where to look for a call; 0: nowhere
  std::array<Value, 8> registers_{};
};

}  // namespace

std::vector<std::string> read_cython_capi(const File& file, const Image& image, std::span<const Segment> segments,
                                          const Header& header, const DynamicFacts& facts) {
  if (!is_x86_64(header)) return {};
  const auto is_capsule = [](const Import& import) {
    return import.name == "PyCapsule_New" || import.name == "PyCapsule_GetPointer";
  };
  if (std::ranges::none_of(facts.imports, is_capsule)) return {};
  std::set<std::string> found;
  CapiReader reader(image, found);
  for (const Code& code : code_of(file, image, segments, header)) reader.read(code);
  return {found.begin(), found.end()};
}

}  // namespace wheelcheck::elf
