// Walks over the code from the functions that loading a file calls: constructors, PyInit functions, and the functions
// of the Py_mod_create and Py_mod_exec slots that a PyInit function refers to. Direct calls and jumps are followed,
// also through the PLT to functions of the file itself; other indirect calls are not. If any instruction on these ways
// tests the processor, the file is taken to choose its code at run time. Then only instructions count that run before
// the code can choose: those from such a function on up to the first conditional jump.
#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elf/code.h"
#include "elf/interfaces.h"
#include "elf/llvm_types.h"
#include "elf/relocations.h"
#include "model/module_names.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;
using Elf = llvm::object::ELF64LE;
using InstructionKind = X86Instruction::Kind;

constexpr std::size_t max_instructions = 2'000'000;  // instructions of one file
constexpr std::size_t max_straight = 4096;  // instructions from one function on up to the first conditional jump
constexpr std::size_t max_repeated = 8 * max_straight;  // that functions with a common part run again
constexpr unsigned deepest_call = 16;
constexpr std::uint64_t max_constructors = 4096;
constexpr std::size_t max_module_slots = 16;  // of a PyModuleDef
constexpr std::uint64_t m_slots = 72;         // its offset in PyModuleDef (CPython Include/moduleobject.h)

class Walker {
 public:
  Walker(const Image& image, const DynamicTable& table, std::span<const Code> codes, bool all_loads)
      : image_(image), table_(table), all_loads_(all_loads) {
    for (const Code& code : codes) {
      codes_.push_back({code, std::vector<bool>(code.bytes.size())});
      all_left_ = std::min(all_left_ + code.bytes.size(), max_instructions);
    }
  }

  // In the order of the indices, each once.
  void add_symbol(std::uint32_t index, std::uint64_t value) { values_.emplace_back(index, value); }
  void add_entry(std::uint64_t address, std::string name) { entries_.emplace_back(address, std::move(name)); }
  // An imported function that does not return, in the order of the indices.
  void add_end(std::uint32_t index) { ends_.push_back(index); }

  StartupCode run(bool tested) {
    tested_ = tested;
    read_relocations();
    each_entry([this](std::uint64_t at) { walk(at); });
    if (tested_ || steps_ >= max_instructions) {
      found_.reset();
      followed_.clear();
      each_entry([this](std::uint64_t at) {
        left_ = std::min(max_straight, all_left_);
        all_left_ -= left_;
        go_straight(at, 0);
        all_left_ += left_;
      });
    }
    std::ranges::sort(loads_);
    return {std::move(found_), std::move(loads_)};
  }

 private:
  bool is_done() const { return tested_ && !all_loads_; }

  template <class Visit>
  void each_entry(Visit visit) {
    for (const auto& [address, name] : entries_) {
      name_ = name;
      hook_ = is_module_hook(name) ? std::optional(returns_slots(name)) : std::nullopt;
      todo_.push_back(address);
      while (!todo_.empty()) {
        const std::uint64_t at = todo_.back();
        todo_.pop_back();
        visit(at);
      }
    }
  }

  template <class Key>
  static auto find(const std::vector<std::pair<Key, std::uint64_t>>& sorted, Key key) {
    const auto at = std::ranges::lower_bound(sorted, key, {}, &std::pair<Key, std::uint64_t>::first);
    return at == sorted.end() || at->first != key ? sorted.end() : at;
  }

  void read_relocations() {
    using Rela = Elf::Rela;
    using Pointer = std::pair<std::uint64_t, std::uint64_t>;
    const auto table = [&](std::uint64_t address_tag, std::uint64_t size_tag) {
      const auto at = table_.get(address_tag);
      if (!at) return;
      const auto bytes = image_.from(*at, table_.get(size_tag).value_or(0));
      for (std::size_t i = 0; i + sizeof(Rela) <= bytes.size(); i += sizeof(Rela)) {
        Rela record;
        std::memcpy(&record, bytes.data() + i, sizeof record);
        const std::uint32_t type = record.getType(false);
        const std::uint64_t place = record.r_offset, addend = static_cast<std::uint64_t>(std::int64_t{record.r_addend});
        if (type == R_X86_64_RELATIVE) {
          relative_.emplace_back(place, addend);
        } else if (std::ranges::binary_search(ends_, record.getSymbol(false))) {
          end_slots_.insert(place);
        } else if (const auto symbol = find(values_, record.getSymbol(false)); symbol != values_.end()) {
          symbolic_.emplace_back(place, symbol->second + (type == R_X86_64_64 ? addend : 0));
        }
      }
    };
    table(DT_JMPREL, DT_PLTRELSZ);
    table(DT_RELA, DT_RELASZ);
    // Linkers sort the relative ones by place (-z combreloc).
    if (!std::ranges::is_sorted(relative_, {}, &Pointer::first))
      std::ranges::stable_sort(relative_, {}, &Pointer::first);
    std::ranges::stable_sort(symbolic_, {}, &Pointer::first);
    const auto start = table_.get(DT_INIT_ARRAY);
    const std::uint64_t count = std::min(table_.get(DT_INIT_ARRAYSZ).value_or(0) / 8, max_constructors);
    for (std::uint64_t i = 0; start && i < count; ++i)
      if (const auto function = pointer_at(*start + i * 8)) add_entry(*function, "DT_INIT_ARRAY");
  }
  // The value of a relocated word. Those of DT_RELR contain their addend.
  std::optional<std::uint64_t> pointer_at(std::uint64_t address) const {
    for (const auto& pointers : {std::cref(relative_), std::cref(symbolic_)})
      if (const auto at = find(pointers.get(), address); at != pointers.get().end()) return at->second;
    return table_.get(DT_RELR) ? image_.read<std::uint64_t>(address) : std::nullopt;
  }

  struct WalkedCode : Code {
    std::vector<bool> seen;  // by offset
  };
  WalkedCode* code_at(std::uint64_t address) {
    for (WalkedCode& code : codes_)
      if (code.contains(address)) return &code;
    return nullptr;
  }
  void follow(std::uint64_t address) {
    if (code_at(address) != nullptr) todo_.push_back(address);
  }
  // Whether a call of the address is one of a function that does not return: what follows is an exception handler, or
  // another function. A PLT entry may begin with ENDBR64.
  bool ends(std::uint64_t callee) {
    if (end_slots_.empty()) return false;
    const WalkedCode* const code = code_at(callee);
    for (int i = 0; code != nullptr && i < 2 && code->contains(callee); ++i) {
      const std::optional<X86Instruction> one = x86_instruction(code->bytes.subspan(callee - code->address));
      if (!one) return false;
      if (one->kind == InstructionKind::JumpSlot)
        return end_slots_.contains(callee + static_cast<std::uint64_t>(one->target));
      callee += one->length;
    }
    return false;
  }
  void follow_slot(std::uint64_t slot) {
    if (const auto pointer = pointer_at(slot)) follow(*pointer);
  }

  void follow_module(std::uint64_t definition) {
    if (const auto slots = pointer_at(definition + m_slots)) follow_slots(*slots);
  }
  // The functions of a module's slots: pairs of an id and a pointer, up to id 0. In an array that PyModExport returns,
  // flags of 16 bits follow the id.
  void follow_slots(std::uint64_t slots) {
    if (!followed_.insert(slots).second) return;
    for (std::uint64_t i = 0; i < max_module_slots; ++i) {
      const std::uint64_t at = slots + i * 16;
      const std::uint64_t word = image_.read<std::uint64_t>(at).value_or(0), id = word & 0xFFFF;
      const bool known = (id >= 1 && id <= 8) || is_slot_of_3_15(id);
      if (!known || word >> 16 > max_slot_flags) return;
      if (id <= mod_exec || id == mod_create_of_3_15 || id == mod_exec_of_3_15) follow_slot(at + 8);
    }
  }

  // The instructions from an address on, up to the first that was seen.
  void walk(std::uint64_t address) {
    WalkedCode* const code = code_at(address);
    if (code == nullptr || is_done()) return;
    for (std::uint64_t at = address - code->address; at < code->bytes.size() && !code->seen[at];) {
      code->seen[at] = true;
      const std::optional<X86Instruction> one = x86_instruction(code->bytes.subspan(at));
      if (!one || ++steps_ >= max_instructions) return;
      const std::uint64_t target = address + static_cast<std::uint64_t>(one->target);
      switch (one->kind) {
        case InstructionKind::CpuTest:
          tested_ = true;
          if (is_done()) return;
          break;
        case InstructionKind::Bmi:
        case InstructionKind::Vex:
        case InstructionKind::Evex:
          take(address, one->kind == InstructionKind::Evex ? 4 : 3);
          break;
        case InstructionKind::Call:
          if (ends(target)) return;
          follow(target);
          break;
        case InstructionKind::Branch:
          follow(target);
          break;
        case InstructionKind::Jump:
          follow(target);
          return;
        case InstructionKind::CallSlot:
          if (end_slots_.contains(target)) return;
          follow_slot(target);
          break;
        case InstructionKind::JumpSlot:
          follow_slot(target);
          return;
        case InstructionKind::Address:
          if (hook_) *hook_ ? follow_slots(target) : follow_module(target);
          if (all_loads_) loads_.push_back(address);
          break;
        case InstructionKind::End:
          return;
        case InstructionKind::Other:
          break;
      }
      at += one->length;
      address += one->length;
    }
  }

  // The instructions that a function certainly runs: up to its first conditional jump, with those of the functions that
  // it calls until then.
  void go_straight(std::uint64_t address, unsigned depth) {
    const WalkedCode* code = code_at(address);
    while (code != nullptr && code->contains(address) && left_ > 0) {
      --left_;
      const std::optional<X86Instruction> one = x86_instruction(code->bytes.subspan(address - code->address));
      if (!one) return;
      const std::uint64_t target = address + static_cast<std::uint64_t>(one->target);
      switch (one->kind) {
        case InstructionKind::Bmi:
        case InstructionKind::Vex:
        case InstructionKind::Evex:
          return take(address, one->kind == InstructionKind::Evex ? 4 : 3);
        case InstructionKind::Call:
          if (ends(target)) return;
          if (depth < deepest_call) go_straight(target, depth + 1);
          break;
        case InstructionKind::CallSlot:
          if (end_slots_.contains(target)) return;
          if (const auto pointer = pointer_at(target); pointer && depth < deepest_call)
            go_straight(*pointer, depth + 1);
          break;
        case InstructionKind::Jump:
          address = target;
          code = code_at(address);
          continue;
        case InstructionKind::JumpSlot:
          address = pointer_at(target).value_or(0);
          code = code_at(address);
          continue;
        case InstructionKind::Address:
          if (hook_) *hook_ ? follow_slots(target) : follow_module(target);
          break;
        case InstructionKind::Branch:
        case InstructionKind::CpuTest:
        case InstructionKind::End:
          return;
        case InstructionKind::Other:
          break;
      }
      address += one->length;
    }
  }

  void take(std::uint64_t address, std::uint32_t level) {
    if (found_ && std::pair(4 - found_->x86_level, found_->address) <= std::pair(4 - level, address)) return;
    found_ = StartupInstruction{.x86_level = level, .address = address, .entry = name_};
  }

  const Image& image_;
  const DynamicTable& table_;
  std::vector<WalkedCode> codes_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> values_;               // of defined symbols, by index
  std::vector<std::pair<std::uint64_t, std::uint64_t>> relative_, symbolic_;  // relocated words, by address; values
  std::vector<std::uint32_t> ends_;                                           // imported functions that do not return
  std::set<std::uint64_t> end_slots_;                                         // words that hold the address of one
  std::vector<std::pair<std::uint64_t, std::string>> entries_;
  std::vector<std::uint64_t> todo_;
  std::string name_;
  std::optional<bool> hook_;  // the entry makes a module; true: it returns the slots
  bool all_loads_, tested_ = false;
  std::set<std::uint64_t> followed_;  // arrays of slots
  std::size_t steps_ = 0, left_ = 0, all_left_ = max_repeated;
  std::vector<std::uint64_t> loads_;
  std::optional<StartupInstruction> found_;
};

// Functions of libc, libstdc++ and libgcc_s that do not return.
bool never_returns(std::string_view name) {
  static constexpr std::string_view names[] = {"_Unwind_Resume",
                                               "__assert_fail",
                                               "__cxa_bad_cast",
                                               "__cxa_bad_typeid",
                                               "__cxa_rethrow",
                                               "__cxa_throw",
                                               "__cxa_throw_bad_array_new_length",
                                               "__stack_chk_fail",
                                               "_exit",
                                               "abort",
                                               "exit",
                                               "_ZSt9terminatev"};
  return (name.starts_with("_ZSt") && name.contains("__throw_")) || std::ranges::find(names, name) != std::end(names);
}

}  // namespace

StartupCode read_startup_code(const File& file, const Image& image, std::span<const Segment> segments,
                              const DynamicTable& table, const Header& header, const DynamicFacts& facts,
                              bool all_loads) {
  if (!is_x86_64(header) || header.type != ET_DYN) return {};
  const std::vector<Code> codes = code_of(file, image, segments, header);
  if (codes.empty()) return {};
  Walker walker(image, table, codes, all_loads);
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    if (!symbol.defined && never_returns(symbol.name())) walker.add_end(symbol.index);
    if (!symbol.defined || symbol.type == STT_GNU_IFUNC) return;
    walker.add_symbol(symbol.index, symbol.value);
    if (symbol.is_module_init()) walker.add_entry(symbol.value, std::string(symbol.name()));
  });
  if (const auto init = table.get(DT_INIT)) walker.add_entry(*init, "DT_INIT");
  return walker.run(tests_processor(facts));
}

}  // namespace wheelcheck::elf
