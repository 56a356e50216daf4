// The calls are found from the far end: the relocations of the symbol give its GOT slots, the jumps through these are
// its PLT entries, and calls of these are the places. The instructions of the function before a place say what is
// passed. It is believed only where it makes sense: a name is a printable string, and flags are those of dlopen. Where
// no table says where functions begin, nothing is read.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/byte_scan.h"
#include "elf/code.h"
#include "elf/llvm_types.h"
#include "elf/relocations.h"
#include "model/rtld.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;
using Elf = llvm::object::ELF64LE;

constexpr std::size_t max_calls = 64, max_library_name = 256;

enum class Callee : std::uint8_t { Dlopen, Dlmopen, Dlsym };
std::optional<Callee> callee_of(std::string_view name) {
  if (name == "dlopen") return Callee::Dlopen;
  if (name == "dlmopen") return Callee::Dlmopen;
  return name == "dlsym" ? std::optional(Callee::Dlsym) : std::nullopt;
}

class X86 {
 public:
  // The addresses from which a jump through one of the slots starts.
  template <class Slot, class Visit>
  static void each_stub(const Code& code, Slot slot, Visit visit) {
    const auto matches = [](const auto& c, const auto& d, auto& marks) {
      marks = (c == 0xFF) & ((d == 0x25) | (d == 0x15));
    };
    any_pair(code.text(), 0, code.bytes.size(), matches, [&](std::size_t i) {
      if (i + 6 > code.bytes.size()) return false;
      const auto callee = slot(code.relative(i + 2));
      // A PLT entry may begin with ENDBR64, and its jump with a BND prefix (x86-64 psABI, "Procedure Linkage Table").
      if (callee) visit(code.address + i, *callee, code.at(i + 1) == 0x15, std::initializer_list<int>{0, 1, 4, 5});
      return false;
    });
  }
  template <class Visit>
  static void each_branch(const Code& code, Visit visit) {
    const auto matches = [](const auto& c, const auto&, auto& marks) {
      marks = (c == 0xE8) | (c == 0xE9) | (c == 0xEB);
    };
    any_pair(code.text(), 0, code.bytes.size(), matches, [&](std::size_t i) {
      if (i + 5 > code.bytes.size()) return false;
      const std::uint64_t at = code.address + i;
      if (code.at(i) == 0xEB)
        visit(at, at + 2 + static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(code.at(i + 1))}));
      else
        visit(at, code.relative(i + 1));
      return false;
    });
  }
};

class Arm64 {
 public:
  template <class Slot, class Visit>
  static void each_stub(const Code& code, Slot slot, Visit visit) {
    for (std::size_t i = 0; i + 8 <= code.bytes.size(); i += 4) {  // adrp x, page; ldr x, [x, offset]
      const std::uint32_t adrp = code.word(i), load = code.word(i + 4);
      if ((adrp & 0x9F000000) != 0x90000000 || (load & 0xFFC00000) != 0xF9400000 || (load >> 5 & 31) != (adrp & 31))
        continue;
      if (const auto callee = slot(code::adr_target(adrp, code.address + i, 4096) + (load >> 10 & 0xFFF) * 8))
        visit(code.address + i, *callee, false, std::initializer_list<int>{0, 4});  // BTI before it
    }
  }
  template <class Visit>
  static void each_branch(const Code& code, Visit visit) {
    for (std::size_t i = 0; i + 4 <= code.bytes.size(); i += 4) {
      const std::uint32_t word = code.word(i);
      if ((word & 0x7C000000) != 0x14000000) continue;  // b, bl
      const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(word << 6) >> 6) * 4;
      visit(code.address + i, code.address + i + static_cast<std::uint64_t>(offset));
    }
  }
};

class CallReader {
 public:
  CallReader(const Image& image, std::span<const Segment> segments, const DynamicTable& table, const Header& header,
             std::vector<Code> codes)
      : image_(image),
        table_(table),
        machine_(is_x86_64(header) ? code::Machine::X86 : code::Machine::Arm),
        relative_(relative_type(header.machine)),
        codes_(std::move(codes)),
        starts_(function_starts(image, segments)) {}

  template <class Machine>
  std::vector<LoaderCall> read(const std::map<std::uint32_t, Callee>& symbols,
                               const std::vector<std::uint64_t>& inits) {
    find_slots(symbols);
    if (slots_.empty()) return {};
    std::vector<std::pair<std::uint64_t, Callee>> places;
    std::map<std::uint64_t, Callee> stubs;
    const auto slot = [&](std::uint64_t address) {
      const auto at = slots_.find(address);
      return at == slots_.end() ? std::nullopt : std::optional(at->second);
    };
    for (const Code& code : codes_)
      Machine::each_stub(code, slot, [&](std::uint64_t at, Callee callee, bool call, auto before) {
        places.emplace_back(at, callee);
        if (!call)
          for (const int bytes : before) stubs.emplace(at - static_cast<std::uint64_t>(bytes), callee);
      });
    std::vector<FunctionCall> calls;
    const std::vector<std::vector<bool>> marks = marks_of(stubs);
    for (const Code& code : codes_) {
      auto next = starts_.begin();  // behind the branch; the branches come in the order of their addresses
      Machine::each_branch(code, [&](std::uint64_t at, std::uint64_t to) {
        if (!is_marked(marks, to)) return;
        if (const auto stub = stubs.find(to); stub != stubs.end()) {
          places.emplace_back(at, stub->second);
        } else {
          while (next != starts_.end() && *next <= at) ++next;
          calls.push_back({next == starts_.begin() ? 0 : *std::prev(next), to});
        }
      });
    }
    // They are sorted unless segments lie over each other.
    if (!std::ranges::is_sorted(calls, {}, &FunctionCall::from)) std::ranges::sort(calls, {}, &FunctionCall::from);
    follow(calls, inits);
    std::ranges::sort(places);
    std::set<LoaderCall> result;
    for (const auto& [at, callee] : places)
      if (result.size() < max_calls)
        if (auto call = call_at(at, callee, stubs.contains(at))) result.insert(std::move(*call));
    return {result.begin(), result.end()};
  }

 private:
  void find_slots(const std::map<std::uint32_t, Callee>& symbols) {
    each_relocation(image_, table_, [&](const Elf::Rela& record) {
      const auto symbol = symbols.find(record.getSymbol(false));
      if (symbol != symbols.end()) slots_.emplace(record.r_offset, symbol->second);
      if (record.getType(false) == relative_ && is_init(record.r_offset))
        inits_.push_back(static_cast<std::uint64_t>(std::int64_t{record.r_addend}));
    });
  }
  bool is_init(std::uint64_t at) const {
    const auto start = table_.get(DT_INIT_ARRAY);
    return start && at - *start < table_.get(DT_INIT_ARRAYSZ).value_or(0);
  }
  std::uint64_t start_of(std::uint64_t at) const {
    const auto next = std::ranges::upper_bound(starts_, at);
    return next == starts_.begin() ? 0 : *std::prev(next);
  }

  struct FunctionCall {
    std::uint64_t from = 0, to = 0;  // the starts of two functions
  };

  // By segment and offset: the starts of functions and the stubs. Few branches lead there, and most bytes that look
  // like a branch lead elsewhere.
  std::vector<std::vector<bool>> marks_of(const std::map<std::uint64_t, Callee>& stubs) const {
    std::vector<std::vector<bool>> marks;
    for (const Code& code : codes_) {
      std::vector<bool>& mark = marks.emplace_back(code.bytes.size());
      for (const std::uint64_t start : starts_)
        if (code.contains(start)) mark[start - code.address] = true;
      for (const auto& [stub, callee] : stubs)
        if (code.contains(stub)) mark[stub - code.address] = true;
    }
    return marks;
  }
  bool is_marked(const std::vector<std::vector<bool>>& marks, std::uint64_t at) const {
    for (std::size_t i = 0; i < codes_.size(); ++i)
      if (codes_[i].contains(at) && marks[i][at - codes_[i].address]) return true;
    return false;
  }

  // The functions that constructors and PyInit functions reach by direct calls.
  void follow(const std::vector<FunctionCall>& calls, const std::vector<std::uint64_t>& inits) {
    std::vector<std::uint64_t> todo = inits_;
    todo.insert(todo.end(), inits.begin(), inits.end());
    while (!todo.empty()) {
      const std::uint64_t function = todo.back();
      todo.pop_back();
      if (!at_load_.insert(function).second) continue;
      for (const FunctionCall& call : std::ranges::equal_range(calls, function, {}, &FunctionCall::from))
        todo.push_back(call.to);
    }
  }

  std::string text_at(std::optional<std::uint64_t> address) const {
    if (!address) return "";
    const std::string_view text = image_.text(*address, max_library_name).value_or("");
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }) ? std::string(text) : "";
  }

  // Reads the function up to a place, so that reader_ has the constants that reach it. The places come in the order of
  // their addresses, so no instruction is read twice.
  void read_to(const Code& code, std::uint64_t function, std::uint64_t place) {
    using Flow = code::Instruction::Flow;
    if (function != function_) {
      reader_.forget();
      function_ = next_ = function;
    }
    while (next_ < place) {
      const auto one = reader_.read(code.bytes.subspan(next_ - code.address), next_);
      // Behind a return or jump another way leads on.
      if (!one || one->flow == Flow::End || one->flow == Flow::Jump || one->flow == Flow::JumpSlot) reader_.forget();
      next_ += one ? one->length : machine_ == code::Machine::X86 ? 1 : 4;
    }
    reader_.return_from_call();
  }

  std::optional<LoaderCall> call_at(std::uint64_t at, Callee callee, bool stub) {
    const auto code = std::ranges::find_if(codes_, [&](const Code& one) { return one.contains(at); });
    if (code == codes_.end()) return std::nullopt;
    const std::uint64_t function = start_of(at);
    if (function == 0 || !code->contains(function)) return std::nullopt;
    read_to(*code, function, at);
    const auto first = reader_.argument(0), second = reader_.argument(1);
    LoaderCall call{.at_load = at_load_.contains(function)};
    switch (callee) {
      case Callee::Dlopen: {
        constexpr std::uint64_t known =
            rtld_lazy | rtld_now | rtld_noload | rtld_deepbind | rtld_global | rtld_nodelete;
        if (first == 0) return std::nullopt;  // the program
        const bool flags = second && (*second & ~known) == 0 && (*second & (rtld_lazy | rtld_now)) != 0;
        if (stub && !flags) return std::nullopt;  // a PLT entry; with constants before it, a tail call
        if (flags) call.flags = static_cast<std::uint32_t>(*second);
        if (flags) call.name = text_at(first);
        return call;
      }
      case Callee::Dlmopen:
        if (stub) return std::nullopt;
        call.function = LoaderCall::Function::Dlmopen;
        call.name = text_at(second);
        return call;
      case Callee::Dlsym:
        call.function = LoaderCall::Function::DlsymNext;  // RTLD_NEXT is -1 (dlfcn.h)
        call.name = text_at(second);
        return first == ~std::uint64_t{0} && !call.name.empty() ? std::optional(call) : std::nullopt;
    }
    return std::nullopt;
  }

  const Image& image_;
  const DynamicTable& table_;
  code::Machine machine_;
  code::Reader reader_{machine_};
  std::uint64_t function_ = 0, next_ = 0;  // of reader_
  std::uint32_t relative_;
  std::vector<Code> codes_;
  std::vector<std::uint64_t> starts_, inits_;
  std::map<std::uint64_t, Callee> slots_;
  std::set<std::uint64_t> at_load_;
};

}  // namespace

std::vector<LoaderCall> read_loader_calls(const File& file, const Image& image, std::span<const Segment> segments,
                                          const DynamicTable& table, const Header& header, const DynamicFacts& facts) {
  const auto is_loader = [](const Import& import) { return callee_of(import.name).has_value(); };
  if (std::ranges::none_of(facts.imports, is_loader)) return {};
  std::vector<Code> codes = code_of(file, image, segments, header);
  if (codes.empty()) return {};
  std::map<std::uint32_t, Callee> symbols;
  std::vector<std::uint64_t> inits;
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    if (symbol.is_module_init()) inits.push_back(symbol.value);
    if (symbol.defined) return;
    if (const auto callee = callee_of(symbol.name())) symbols.emplace(symbol.index, *callee);
  });
  if (const auto init = table.get(DT_INIT)) inits.push_back(*init);
  CallReader reader(image, segments, table, header, std::move(codes));
  return is_x86_64(header) ? reader.read<X86>(symbols, inits) : reader.read<Arm64>(symbols, inits);
}

}  // namespace wheelcheck::elf
