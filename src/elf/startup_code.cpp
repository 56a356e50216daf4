// Walks over the code from the functions that loading a file calls: constructors, resolvers of indirect functions,
// PyInit functions, and the functions of the Py_mod_create and Py_mod_exec slots that a PyInit function refers to.
// Direct calls and jumps are followed, also through the PLT to functions of the file itself; other indirect calls are
// not. What is sought are instructions that not every processor of the machine has.
//
// Behind a test of the processor, code for newer processors is not a defect. Three kinds are recognised:
//   - CPUID, XGETBV, the ID registers of AArch64, getauxval and the like on the ways: the file is taken to choose its
//     code at run time.
//   - A branch on a number of 8 or 32 bits in the file's own memory, in a file that tests the processor anywhere.
//     Start-up code may have filled it (internal/cpu of Go, OPENSSL_ia32cap_P, __aarch64_have_lse_atomics). Only what
//     both sides of the branch reach is followed.
//   - In a resolver, a test chooses a function, and says nothing of other code.
// Certain is an instruction only if a constructor, PyInit function or slot cannot end without it on a processor that
// lacks its feature: every way through its code comes to an instruction of the feature, or of one that such a processor
// lacks as well, in it or in the functions that it calls.
//
// Work is done in rounds, each in the order of the addresses, because pages of a large file are inflated in that order.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
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
using code::Feature;
using code::Instruction;
using code::Machine;

constexpr std::size_t max_steps = 1'000'000;  // instructions of one file
constexpr std::size_t max_function = 4096;    // instructions of one function whose ways are compared
constexpr std::size_t max_certain = 400'000;  // instructions that these comparisons take together
constexpr unsigned deepest_call = 16;
constexpr unsigned no_flag = 100;             // instructions
constexpr std::size_t max_branches = 16'384;  // whose registers are remembered, 600 bytes each
constexpr std::uint64_t max_constructors = 4096;
constexpr std::size_t max_module_slots = 16;  // of a PyModuleDef
constexpr std::uint64_t m_slots = 72;         // its offset in PyModuleDef (CPython Include/moduleobject.h)

// The bytes at an address. Those of a large file are fetched in blocks, up to a limit of work, because inflating starts
// at a mark up to 4 MB before. The work is counted alike for a file that is in memory: the same bytes give the same
// answer.
class CodeBytes {
 public:
  CodeBytes(const File& file, const Image& image)
      : file_(file), image_(image), left_(file.size() / 2 + (std::uint64_t{48} << 20)) {}

  // To the end of the block. Empty: no code.
  std::span<const std::byte> from(std::uint64_t address) {
    if (address - begin_ < bytes_.size() && bytes_.size() - (address - begin_) >= longest)
      return bytes_.subspan(address - begin_);
    if (!image_.is_executable(address)) return {};
    const std::span<const std::byte> bytes = fetch(address);
    if (!bytes.empty()) begin_ = address, bytes_ = bytes;
    return bytes;
  }
  // A word of data, which a relocation may change.
  std::optional<std::uint64_t> word(std::uint64_t address) {
    std::uint64_t value = 0;
    const std::span<const std::byte> bytes =
        image_.writable_space(address) < sizeof value ? std::span<const std::byte>() : fetch(address);
    if (bytes.size() < sizeof value) return std::nullopt;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  bool is_spent() const { return left_ == 0; }

 private:
  std::span<const std::byte> fetch(std::uint64_t address) {
    const auto place = image_.place(address);
    if (!place || is_spent()) return {};
    const std::uint64_t first = place->begin / block * block, end = std::min(file_.size(), first + block + longest);
    if (std::ranges::find(recent_, first) == recent_.end()) {
      if (recent_.size() == max_recent) recent_.clear();
      recent_.push_back(first);
      if (fetched_blocks_.size() == max_in_memory) drop_blocks();
      if (!file_.is_here(place->begin)) fetched_blocks_.push_back({first, end});
      const std::uint64_t skipped = first < fetched_ ? skip : std::min(skip, first - fetched_);
      left_ -= std::min(left_, skipped + block);
      fetched_ = end - longest;
    }
    return file_.bytes(place->begin, std::min(place->end, end) - place->begin);
  }

  void drop_blocks() {
    for (const FileRange& one : fetched_blocks_) file_.done(one);
    fetched_blocks_.clear();
    bytes_ = {};
  }

  static constexpr std::uint64_t longest = 16;  // bytes of an instruction
  static constexpr std::uint64_t block = 128 * 1024;
  static constexpr std::uint64_t skip = std::uint64_t{2} << 20;       // bytes that are inflated in vain
  static constexpr std::size_t max_recent = 128, max_in_memory = 32;  // blocks: 16 MB, 4 MB
  const File& file_;
  const Image& image_;
  std::uint64_t left_, begin_ = 0, fetched_ = 0;
  std::span<const std::byte> bytes_;
  std::vector<std::uint64_t> recent_;      // blocks
  std::vector<FileRange> fetched_blocks_;  // that were not in memory
};

// A set of addresses that lie together.
class Marks {
 public:
  // False if it was there.
  bool add(std::uint64_t address) {
    if (last_ == nullptr || address >> 12 != page_) last_ = &pages_[page_ = address >> 12];
    std::uint64_t& word = (*last_)[address >> 6 & 63];
    const std::uint64_t bit = std::uint64_t{1} << (address & 63);
    return (std::exchange(word, word | bit) & bit) == 0;
  }
  bool has(std::uint64_t address) const {
    const auto* page = last_;
    if (page == nullptr || address >> 12 != page_) {
      const auto found = pages_.find(address >> 12);
      if (found == pages_.end()) return false;
      page = &found->second;
    }
    return ((*page)[address >> 6 & 63] >> (address & 63) & 1) != 0;
  }
  void clear() { *this = {}; }

 private:
  std::map<std::uint64_t, std::array<std::uint64_t, 64>> pages_;
  std::array<std::uint64_t, 64>* last_ = nullptr;
  std::uint64_t page_ = 0;
};

enum class Imported : std::uint8_t { NoReturn, Tests, Guard };  // what a call of an imported function means here

class Walker {
 public:
  Walker(const File& file, const Image& image, const DynamicTable& table, std::span<const Segment> segments,
         std::span<const Section> sections, const Header& header, bool all_calls)
      : image_(image),
        table_(table),
        machine_(is_x86_64(header) ? Machine::X86 : Machine::Arm),
        code_(file, image),
        starts_(function_starts(image, segments)),
        all_calls_(all_calls),
        guards_on_(machine_ == Machine::Arm) {
    for (const Section& section : sections)
      if (section.name.starts_with(".plt")) stubs_.push_back({section.address, section.address + section.size});
  }

  // In the order of the indices, each once.
  void add_symbol(std::uint32_t index, std::uint64_t value) { values_.emplace_back(index, value); }
  void add_entry(std::uint64_t address, std::string name) {
    const auto hook = is_module_hook(name) ? std::optional(returns_slots(name)) : std::nullopt;
    entries_.push_back({address, std::move(name), hook});
  }
  void add_import(std::uint32_t index, Imported meaning) { imports_.emplace(index, meaning); }

  // file_tests: whether the file tests the processor anywhere.
  StartupCode run(bool tested, const std::function<bool()>& file_tests) {
    tested_ = tested;
    read_relocations();
    walk_all();
    if (!tested_ && !found_.empty() && !guards_on_ && file_tests()) {
      guards_on_ = true;
      found_.clear();
      seen_.clear();
      calls_.clear();
      branches_.clear();
      steps_ = 0;
      walk_all();
    }
    const bool cut = steps_ >= max_steps || code_.is_spent();
    if (tested_ || steps_ >= max_steps) found_.clear();
    if (tested_ || cut || !found_.empty()) find_certain();
    std::ranges::sort(calls_, {}, &CodeCall::address);  // about the order of the source
    StartupCode out{.calls = std::move(calls_), .cut = cut};
    for (auto& [feature, one] : found_) {
      one.feature = std::string(code::name_of(feature));
      one.x86_level = code::x86_level(feature);
      one.instruction = code::mnemonic(machine_, code_.from(one.address));
      out.instructions.push_back(std::move(one));
    }
    return out;
  }

 private:
  struct Origin {
    std::uint64_t address = 0;
    std::string name;
    std::optional<bool> hook;  // it makes a module; true: it returns the slots
  };
  // Where a number is that may be the result of a test of the processor.
  struct Flags {
    std::uint16_t registers = 0;
    unsigned age = 0, since = no_flag;  // instructions since it was read, and since it was read or tested
    auto operator<=>(const Flags&) const = default;
  };
  struct Step {
    std::uint64_t address = 0;
    std::size_t entry = 0;
    Flags flags = {};
    auto operator<=>(const Step&) const = default;
  };
  struct Guard {
    std::uint64_t sides[2];
    std::size_t entry;
    Flags flags;
  };

  template <class Key>
  static auto find(const std::vector<std::pair<Key, std::uint64_t>>& sorted, Key key) {
    const auto at = std::ranges::lower_bound(sorted, key, {}, &std::pair<Key, std::uint64_t>::first);
    return at == sorted.end() || at->first != key ? sorted.end() : at;
  }

  void read_relocations() {
    using Pointer = std::pair<std::uint64_t, std::uint64_t>;
    const bool x86 = machine_ == Machine::X86;
    const std::uint32_t relative = relative_type(x86 ? EM_X86_64 : EM_AARCH64);
    const std::uint32_t absolute = x86 ? +R_X86_64_64 : +R_AARCH64_ABS64,
                        resolver = x86 ? +R_X86_64_IRELATIVE : +R_AARCH64_IRELATIVE;
    const auto start = table_.get(DT_INIT_ARRAY);
    const std::uint64_t init_size = start ? table_.get(DT_INIT_ARRAYSZ).value_or(0) : 0;
    const bool module = std::ranges::any_of(entries_, [](const Origin& one) { return one.hook.has_value(); });
    std::vector<std::uint64_t> resolvers;
    each_relocation(image_, table_, [&](const Elf::Rela& record) {
      const std::uint32_t type = record.getType(false);
      const std::uint64_t place = record.r_offset, addend = static_cast<std::uint64_t>(std::int64_t{record.r_addend});
      // Other words of data matter in a module only, where slots point to functions.
      const bool is_data = type == relative || type == absolute;
      if (is_data && !module && place - start.value_or(0) >= init_size) return;
      if (type == relative) {
        relative_.emplace_back(place, addend);
      } else if (type == resolver) {
        if (resolvers.size() < max_constructors) resolvers.push_back(addend);
      } else if (const auto meaning = imports_.find(record.getSymbol(false)); meaning != imports_.end()) {
        import_slots_.emplace(place, meaning->second);
      } else if (const auto symbol = find(values_, record.getSymbol(false)); symbol != values_.end()) {
        symbolic_.emplace_back(place, symbol->second + (type == absolute ? addend : 0));
      }
    });
    // Linkers sort the relative ones by place (-z combreloc).
    if (!std::ranges::is_sorted(relative_, {}, &Pointer::first))
      std::ranges::stable_sort(relative_, {}, &Pointer::first);
    std::ranges::stable_sort(symbolic_, {}, &Pointer::first);
    for (std::uint64_t i = 0; i < std::min(init_size / 8, max_constructors); ++i)
      if (const auto function = pointer_at(*start + i * 8)) add_entry(*function, "DT_INIT_ARRAY");
    first_resolver_ = entries_.size();
    for (const std::uint64_t one : resolvers) add_entry(one, "R_IRELATIVE");
  }
  // The value of a relocated word. Those of DT_RELR contain their addend.
  std::optional<std::uint64_t> pointer_at(std::uint64_t address) {
    for (const auto* const pointers : {&relative_, &symbolic_})
      if (const auto at = find(*pointers, address); at != pointers->end()) return at->second;
    return table_.get(DT_RELR) ? code_.word(address) : std::nullopt;
  }

  // The word in memory whose address a PLT entry jumps to. Such an entry may begin with ENDBR64 or BTI.
  std::optional<std::uint64_t> slot_of(std::uint64_t callee) {
    const auto is_inside = [&](Image::Range range) { return callee - range.begin < range.end - range.begin; };
    if (!stubs_.empty() && std::ranges::none_of(stubs_, is_inside)) return std::nullopt;
    const auto [known, added] = slots_.try_emplace(callee);
    if (!added) return known->second;
    code::Reader reader(machine_);
    for (int i = 0; i < (machine_ == Machine::X86 ? 2 : 5); ++i) {
      const std::optional<Instruction> one = reader.read(code_.from(callee), callee);
      if (!one || (one->flow != Instruction::Flow::Next && one->flow != Instruction::Flow::JumpSlot)) break;
      if (one->flow == Instruction::Flow::JumpSlot) return known->second = one->target;
      callee += one->length;
    }
    return std::nullopt;
  }
  // What is called: a function of this file, or an imported one that means something here.
  struct Callee {
    std::optional<std::uint64_t> function;
    std::optional<Imported> imported;
  };
  Callee callee_in(std::uint64_t slot) {
    const auto [known, added] = callees_.try_emplace(slot);
    if (!added) return known->second;
    const auto imported = import_slots_.find(slot);
    if (imported != import_slots_.end()) return known->second = {.function = {}, .imported = imported->second};
    return known->second = {.function = pointer_at(slot), .imported = {}};
  }
  Callee callee_of(const Instruction& one) {
    if (one.flow == Instruction::Flow::CallSlot || one.flow == Instruction::Flow::JumpSlot)
      return callee_in(one.target);
    const auto slot = slot_of(one.target);
    return slot ? callee_in(*slot) : Callee{.function = one.target, .imported = {}};
  }

  void follow_module(std::uint64_t definition, std::size_t entry) {
    if (const auto slots = pointer_at(definition + m_slots)) follow_slots(*slots, entry);
  }
  // The functions of a module's slots: pairs of an id and a pointer, up to id 0. In an array that PyModExport returns,
  // flags of 16 bits follow the id.
  void follow_slots(std::uint64_t slots, std::size_t entry) {
    if (!followed_.insert(slots).second) return;
    for (std::uint64_t i = 0; i < max_module_slots; ++i) {
      const std::uint64_t at = slots + i * 16;
      const std::uint64_t word = code_.word(at).value_or(0), id = word & 0xFFFF;
      const bool known = (id >= 1 && id <= 8) || is_slot_of_3_15(id);
      if (!known || word >> 16 > max_slot_flags) return;
      if (id > mod_exec && id != mod_create_of_3_15 && id != mod_exec_of_3_15) continue;
      if (const auto function = pointer_at(at + 8)) {
        todo_.push_back({*function, entry});
        slot_functions_.push_back({*function, entry});
      }
    }
  }

  void walk_all() {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (i < first_resolver_) todo_.push_back({entries_[i].address, i});
    for (const Step& one : slot_functions_) todo_.push_back(one);
    walk_rounds();
    for (std::size_t i = first_resolver_; i < entries_.size(); ++i) todo_.push_back({entries_[i].address, i});
    walk_rounds();
  }
  void walk_rounds() {
    while (!is_done() && (!todo_.empty() || !guards_.empty())) {
      std::vector<Step> round = std::exchange(todo_, {});
      std::ranges::sort(round);
      for (const Step& one : round) walk(one.address, one.entry, one.flags);
      if (!todo_.empty()) continue;
      for (const Guard& guard : std::exchange(guards_, {})) {
        const auto right = reach(guard.sides[1], guard.flags);
        for (const auto& [at, flags] : reach(guard.sides[0], guard.flags))
          if (right.contains(at)) walk(at, guard.entry, flags);
      }
    }
    todo_.clear();
    guards_.clear();
  }
  bool is_done() const { return (tested_ && !all_calls_) || steps_ >= max_steps; }

  // Where the next function begins. What a call before it does not return to is not executed: compilers know more
  // functions that do not return than are named here.
  std::uint64_t end_of_function(std::uint64_t address) const {
    const auto next = std::ranges::upper_bound(starts_, address);
    return next == starts_.end() ? UINT64_MAX : *next;
  }

  // The instructions from an address on, up to the first that was seen.
  void walk(std::uint64_t address, std::size_t entry, Flags flags) {
    if (seen_.has(address)) return;
    const auto before = static_cast<std::ptrdiff_t>(todo_.size());
    const std::uint64_t end = walk_to_end(address, entry, flags);
    // Most branches lead to what follows.
    const auto is_seen = [&](const Step& step) { return seen_.has(step.address); };
    todo_.erase(std::remove_if(todo_.begin() + before, todo_.end(), is_seen), todo_.end());
    if (all_calls_) keep_branches(address, end);
  }
  // Returns where it ended.
  std::uint64_t walk_to_end(std::uint64_t address, std::size_t entry, Flags flags) {
    using Flow = Instruction::Flow;
    code::Reader reader = reader_at(address);
    const std::uint64_t end = end_of_function(address);
    while (!is_done() && address < end && seen_.add(address)) {
      ++steps_;
      const std::optional<Instruction> one = reader.read(code_.from(address), address);
      if (!one) return address;
      const std::uint64_t next = address + one->length;
      if (one->tests_processor && entry < first_resolver_) tested_ = true;
      if (one->feature != Feature::None) take(one->feature, address, entry, false);
      follow_flag(*one, flags);
      if (one->use == Instruction::Use::Address) {
        if (const auto hook = entries_[entry].hook)
          *hook ? follow_slots(one->memory, entry) : follow_module(one->memory, entry);
      }
      switch (one->flow) {
        case Flow::Call:
        case Flow::CallSlot: {
          if (all_calls_) note_call(reader, address);
          const Callee callee = callee_of(*one);
          if (callee.imported == Imported::NoReturn) return next;
          if (callee.imported == Imported::Tests && entry < first_resolver_ && !is_lse_test(next)) tested_ = true;
          if (callee.function && !seen_.has(*callee.function)) todo_.push_back({*callee.function, entry});
          break;
        }
        case Flow::Branch:
          if (all_calls_) note_branch(*one, address, reader);
          if (is_guard(*one, next, flags)) {
            guards_.push_back({{next, one->target}, entry, flags});
            return next;
          }
          if (!seen_.has(one->target)) todo_.push_back({one->target, entry, flags});
          break;
        case Flow::Jump:
        case Flow::JumpSlot:
          if (const Callee callee = callee_of(*one); callee.function) todo_.push_back({*callee.function, entry, flags});
          return next;
        case Flow::End:
          return next;
        case Flow::IndirectCall:
        case Flow::Next:
          break;
      }
      address = next;
    }
    return address;
  }

  // Behind a jump, registers contain what they did at the branch that leads there: compilers place the code for an
  // error after the branch around it, which ends with a jump.
  void note_branch(const Instruction& branch, std::uint64_t address, const code::Reader& reader) {
    constexpr std::uint64_t farthest = 4096;  // bytes that it skips
    if (branch.target - address > farthest || seen_.has(branch.target)) return;
    // A branch has two bytes, so at most half of them are ahead; others lead into instructions.
    if (ahead_.size() == farthest) {
      std::erase_if(ahead_, [&](const auto& one) { return seen_.has(one.first); });
      if (ahead_.size() > farthest / 2) ahead_.erase(ahead_.begin() + farthest / 2, ahead_.end());
    }
    ahead_.emplace_back(branch.target, reader);
  }
  code::Reader reader_at(std::uint64_t address) {
    const auto branch = branches_.extract(address);
    return branch ? branch.mapped() : code::Reader(machine_);
  }
  // Of the branches of a walk, those to what it did not come to anyway.
  void keep_branches(std::uint64_t begin, std::uint64_t end) {
    for (auto at = branches_.lower_bound(begin); at != branches_.end() && at->first < end;)
      at = seen_.has(at->first) ? branches_.erase(at) : std::next(at);
    for (const auto& [target, reader] : ahead_)
      if (!seen_.has(target) && branches_.size() < max_branches) branches_.try_emplace(target, reader);
    ahead_.clear();
  }
  void note_call(const code::Reader& reader, std::uint64_t address) {
    CodeCall call{.address = address, .arguments = {}};
    for (std::size_t i = 0; i < call.arguments.size(); ++i) call.arguments[i] = reader.argument(i);
    if (std::ranges::any_of(call.arguments, [](const auto& value) { return value.has_value(); }))
      calls_.push_back(call);
  }

  // libgcc's init_have_lse_atomics keeps bit 8 (HWCAP_ATOMICS) of getauxval(AT_HWCAP) for the functions
  // __aarch64_ldadd8_relax and the like, and for nothing else.
  bool is_lse_test(std::uint64_t behind) {
    if (machine_ == Machine::X86) return false;
    for (int i = 0; i < 6; ++i, behind += 4) {
      const auto bytes = code_.from(behind);
      std::uint32_t word = 0;
      if (bytes.size() >= 4) std::memcpy(&word, bytes.data(), 4);
      if ((word & 0x7FBFFC00) == 0x53082000) return true;  // ubfx, #8, #1
    }
    return false;
  }
  // Follows the number that was read.
  void follow_flag(const Instruction& one, Flags& flags) const {
    using Flow = Instruction::Flow;
    constexpr std::uint16_t kept_by_calls = 0xF028;  // x86-64 psABI, "Register Usage"
    constexpr unsigned longest = 64;                 // instructions for which a register is believed
    const bool call = one.flow == Flow::Call || one.flow == Flow::CallSlot || one.flow == Flow::IndirectCall;
    // libgcc's __aarch64_have_sme is read-only where its build knew the answer.
    const bool flag = one.use == Instruction::Use::Flag &&
                      (image_.writable_space(one.memory) > 0 || (machine_ == Machine::Arm && image_.place(one.memory)));
    flags.since = call ? no_flag : flags.since + 1;
    if (call) flags.registers &= kept_by_calls;
    if (++flags.age > longest) flags.registers = 0;
    if (flag || (one.tests >= 0 && (flags.registers >> one.tests & 1) != 0)) flags.since = 0;
    if (flag && one.loads >= 0) {
      flags.registers |= static_cast<std::uint16_t>(1U << one.loads);
      flags.age = 0;
    }
  }
  bool is_guard(const Instruction& branch, std::uint64_t next, const Flags& flags) {
    return guards_on_ && flags.since <= 3 && !leads_to_guard(next) && !leads_to_guard(branch.target);
  }
  // A variable of a function that is constructed on the first call has such a number too.
  bool leads_to_guard(std::uint64_t address) {
    code::Reader reader(machine_);
    for (int i = 0; i < 12; ++i) {
      const std::optional<Instruction> one = reader.read(code_.from(address), address);
      if (!one || one->flow == Instruction::Flow::End || one->flow == Instruction::Flow::Jump) return false;
      if (one->flow == Instruction::Flow::Call || one->flow == Instruction::Flow::CallSlot)
        return callee_of(*one).imported == Imported::Guard;
      address += one->length;
    }
    return false;
  }

  // The instructions of a function that are reached from one of them without another such branch. Not what it calls.
  std::map<std::uint64_t, Flags> reach(std::uint64_t start, Flags flags) {
    std::map<std::uint64_t, Flags> reached;
    std::vector<std::pair<std::uint64_t, Flags>> todo{{start, flags}};
    while (!todo.empty()) {
      std::uint64_t at = todo.back().first;
      flags = todo.back().second;
      todo.pop_back();
      code::Reader reader(machine_);
      std::uint64_t end = end_of_function(at);
      while (at < end && reached.size() < max_function && reached.emplace(at, flags).second) {
        ++steps_;
        const std::optional<Instruction> one = reader.read(code_.from(at), at);
        if (!one || one->flow == Instruction::Flow::End || one->flow == Instruction::Flow::JumpSlot) break;
        follow_flag(*one, flags);
        if (one->flow == Instruction::Flow::Branch) {
          if (is_guard(*one, at + one->length, flags)) break;
          todo.emplace_back(one->target, flags);
        }
        at += one->length;
        if (one->flow == Instruction::Flow::Jump) end = end_of_function(at = one->target);
      }
    }
    return reached;
  }

  // --- what certainly runs

  // For each feature on the ways: do all of them come to an instruction that a processor without it lacks?
  void find_certain() {
    certain_left_ = max_certain;
    for (const auto& [feature, one] : found_) met_ |= code::bit_of(feature);
    sought_ = ~std::uint64_t{0};
    bool any = false;
    each_start([&](std::uint64_t function, std::size_t) { any |= ways_through(function, 0).hit.has_value(); });
    for (std::uint64_t done = 0; any && certain_left_ > 0 && (met_ & ~done) != 0;) {
      wanted_ = static_cast<Feature>(std::countr_zero(met_ & ~done));
      done |= code::bit_of(wanted_);
      sought_ = code::missing_without(wanted_);
      ways_.clear();
      each_start([&](std::uint64_t function, std::size_t entry) {
        const Ways ways = ways_through(function, 0);
        if (ways.hit && ways.hit->feature == wanted_) take(wanted_, ways.hit->address, entry, true);
      });
    }
  }
  void each_start(const std::function<void(std::uint64_t function, std::size_t entry)>& visit) {
    for (std::size_t i = 0; i < first_resolver_ && certain_left_ > 0; ++i) visit(entries_[i].address, i);
    for (const Step& one : slot_functions_)
      if (certain_left_ > 0) visit(one.address, one.entry);
  }
  struct Hit {
    std::uint64_t address = 0;
    Feature feature = Feature::None;
  };
  // What all ways through a function have in common.
  struct Ways {
    std::optional<Hit> hit;  // they come to an instruction that is sought; this is the one that is wanted most
    bool end = false;        // none returns, and some end the process or throw
  };
  void add_hit(Ways& ways, const Hit& hit) const {
    const auto rank = [&](const Hit& one) { return std::pair(one.feature != wanted_, one.address); };
    if (!ways.hit || rank(hit) < rank(*ways.hit)) ways.hit = hit;
  }
  Ways ways_through(std::uint64_t function, unsigned depth) {
    using Flow = Instruction::Flow;
    const auto [known, added] = ways_.try_emplace(function);
    if (!added) return known->second;  // also of a function that calls itself
    Ways ways;
    std::set<std::uint64_t> reached;
    std::vector<std::uint64_t> todo{function};
    while (!todo.empty()) {
      std::uint64_t at = todo.back();
      todo.pop_back();
      code::Reader reader(machine_);
      std::uint64_t end = end_of_function(at);
      while (reached.insert(at).second) {
        if (at >= end) {
          ways.end = true;
          break;
        }
        const std::optional<Instruction> one = reader.read(code_.from(at), at);
        if (!one || reached.size() > max_function || certain_left_ == 0) return {};
        --certain_left_;
        if (one->feature != Feature::None) {
          met_ |= code::bit_of(one->feature);
          if ((sought_ & code::bit_of(one->feature)) != 0) {
            add_hit(ways, {at, one->feature});
            break;
          }
        }
        if (one->flow == Flow::End) return {};
        const bool call = one->flow == Flow::Call || one->flow == Flow::CallSlot;
        if (call || one->flow == Flow::Jump || one->flow == Flow::JumpSlot) {
          const Callee callee = callee_of(*one);
          Ways inner{.hit = {}, .end = callee.imported == Imported::NoReturn};
          if (call && callee.function && depth < deepest_call) inner = ways_through(*callee.function, depth + 1);
          ways.end = ways.end || inner.end;
          if (inner.hit) add_hit(ways, *inner.hit);
          if (inner.hit || inner.end) break;
          if (!call && !callee.function) return {};
          at += one->length;
          if (!call) end = end_of_function(at = *callee.function);
          continue;
        }
        if (one->flow == Flow::Branch) todo.push_back(one->target);
        at += one->length;
      }
    }
    if (ways.end) ways.hit.reset();
    return ways_[function] = ways;
  }

  void take(Feature feature, std::uint64_t address, std::size_t entry, bool certain) {
    const auto [at, added] = found_.try_emplace(feature);
    if (!added && at->second.certain >= certain) return;  // the one that the fewest calls lead to
    at->second = StartupInstruction{.address = address, .entry = entries_[entry].name, .certain = certain};
  }

  const Image& image_;
  const DynamicTable& table_;
  Machine machine_;
  CodeBytes code_;
  std::vector<std::uint64_t> starts_;                                         // of functions
  std::vector<Image::Range> stubs_;                                           // of .plt and the like
  std::map<std::uint64_t, std::optional<std::uint64_t>> slots_;               // of calls
  std::map<std::uint64_t, Callee> callees_;                                   // by slot
  std::vector<std::pair<std::uint32_t, std::uint64_t>> values_;               // of defined symbols, by index
  std::vector<std::pair<std::uint64_t, std::uint64_t>> relative_, symbolic_;  // relocated words, by address; values
  std::map<std::uint32_t, Imported> imports_;                                 // by symbol
  std::map<std::uint64_t, Imported> import_slots_;                            // words that hold the address of one
  std::vector<Origin> entries_;
  std::size_t first_resolver_ = 0;  // of entries_
  std::vector<Step> todo_, slot_functions_;
  std::vector<Guard> guards_;
  bool all_calls_, guards_on_, tested_ = false;
  std::set<std::uint64_t> followed_;  // arrays of slots
  Marks seen_;
  std::vector<CodeCall> calls_;
  std::map<std::uint64_t, code::Reader> branches_;             // the first to each address that is not yet seen
  std::vector<std::pair<std::uint64_t, code::Reader>> ahead_;  // of this walk
  std::size_t steps_ = 0, certain_left_ = 0;
  std::uint64_t met_ = 0, sought_ = 0;  // features: on the ways; those whose instructions end a way
  Feature wanted_ = Feature::None;
  std::map<std::uint64_t, Ways> ways_;  // by function
  std::map<Feature, StartupInstruction> found_;
};

std::optional<Imported> meaning_of(std::string_view name) {
  // Functions of libc, libstdc++ and libgcc_s that do not return.
  static constexpr std::string_view ends[] = {"_Unwind_Resume",
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
  if ((name.starts_with("_ZSt") && name.contains("__throw_")) || std::ranges::find(ends, name) != std::end(ends))
    return Imported::NoReturn;
  if (name == "__cxa_guard_acquire") return Imported::Guard;
  if (name == "getauxval" || name == "__getauxval" || name.starts_with("cpuinfo_")) return Imported::Tests;
  return std::nullopt;
}

}  // namespace

StartupCode read_startup_code(const File& file, const Image& image, std::span<const Segment> segments,
                              std::span<const Section> sections, const DynamicTable& table, const Header& header,
                              const DynamicFacts& facts, const SearchedCode& searched, bool all_calls) {
  if (!has_followed_code(header)) return {};
  Walker walker(file, image, table, segments, sections, header, all_calls);
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    if (!symbol.defined)
      if (const auto meaning = meaning_of(symbol.name())) walker.add_import(symbol.index, *meaning);
    if (!symbol.defined || symbol.type == STT_GNU_IFUNC) return;
    walker.add_symbol(symbol.index, symbol.value);
    if (symbol.is_module_init()) walker.add_entry(symbol.value, std::string(symbol.name()));
  });
  if (const auto init = table.get(DT_INIT)) walker.add_entry(*init, "DT_INIT");
  StartupCode found =
      walker.run(is_x86_64(header) && tests_processor(facts), [&] { return searched.tests_processor(); });
  // The Go compiler tests the processor before each of these, by a flag that it may have read before a loop
  // (cmd/compile/internal/ssagen/intrinsics.go); with GOAMD64=v2 and newer the runtime refuses to start instead.
  const auto is_of_go = [](const Section& section) { return section.name == ".go.buildinfo"; };
  if (std::ranges::any_of(sections, is_of_go))
    std::erase_if(found.instructions, [](const StartupInstruction& one) {
      return one.feature == "POPCNT" || one.feature == "SSE4.1" || one.feature == "FMA";
    });
  if (found.instructions.empty()) return found;
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    if (!symbol.defined || symbol.type != STT_FUNC) return;
    for (StartupInstruction& one : found.instructions)
      if (one.address - symbol.value < symbol.size) one.function = std::string(symbol.name());
  });
  return found;
}

}  // namespace wheelcheck::elf
