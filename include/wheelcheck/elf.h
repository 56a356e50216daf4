// What one ELF file says to the loader: read once, by PT_DYNAMIC and addresses, never by section names where the loader
// does not look at sections (gABI chapters 4 and 5; LSB symbol versioning). Plain data, immutable once read.
// Every string_view points into `strings` of its ElfFacts, those of imports and exports into `symbol_names`, which
// makes the struct move-only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/string_pool.h"

namespace wheelcheck {

enum class ElfKind {
  SharedObject,
  Executable,
  Relocatable,
  Core,
  Other
};  // Executable: ET_EXEC, or ET_DYN with PT_INTERP
    // and DF_1_PIE
enum class MachineUse {
  Host,    // code that a CPU's loader could map
  Device,  // GPU, BPF, DSP: EM_CUDA 190, EM_AMDGPU 224, EM_BPF 247, EM_VE 251 ...; recognised, never judged as host
           // code
};
enum class ElfArea { Header, ProgramHeaders, Dynamic, Strings, Versions, Symbols, Relocations, Notes };
std::string_view name_of(ElfArea area);  // "program headers"

// Something that could not be read, or that readers disagree about; the rest of the facts stands.
struct Flaw {
  ElfArea area = ElfArea::Header;
  bool fatal = false;  // the loader would refuse the file, or bind it wrongly, because of it
  std::string reason;  // starts small, no full stop
};

enum class SymbolKind : std::uint8_t { NoType, Function, Object, Tls, Ifunc, Common, Other };
enum class Binding : std::uint8_t { Global, Weak, Unique };  // STB_GNU_UNIQUE: one definition a process
// Hidden and internal symbols do not take part in look-up.
enum class Visibility : std::uint8_t { Default, Protected, Hidden };
// What the file's relocations ask the loader to look up.
enum class Bound : std::uint8_t { Never, AtFirstCall, AtLoad };
enum class LookUp : std::uint8_t { Data, Plt, Copy };  // glibc's elf_machine_type_class; Plt: jump slots and TLS

// One Vernaux: version `version` of library `library` must exist at load time, or the load fails, unless weak.
struct VersionNeed {
  std::string_view library;
  std::string_view version;
  std::uint16_t index = 0;  // vna_other
  bool weak = false;        // VER_FLG_WEAK
};
// One Verdef but the base (VER_FLG_BASE).
struct VersionDefinition {
  std::string_view version;
  std::uint16_t index = 0;  // vd_ndx
  bool weak = false;
};
struct Import {  // SHN_UNDEF
  std::string_view name;
  std::optional<NeedIndex> need;  // its version, if it has one
  SymbolKind kind = SymbolKind::NoType;
  Bound bound = Bound::Never;
  Visibility visibility = Visibility::Default;
  bool weak = false;  // STB_WEAK
  // st_value is not 0: the address of a PLT entry of a program that is not position-independent, which stands for the
  // function wherever its address is taken.
  bool canonical = false;
};
static_assert(sizeof(void*) != 8 || sizeof(Import) == 32);
struct Export {  // defined, global or weak or unique, and not hidden; 40 bytes, for a wheel may have a million
  std::string_view name;
  std::optional<std::uint16_t> version;  // into DynamicFacts::provides
  // A program's copy of another file's data (R_*_COPY) bears the version that the program needs of it.
  OptionalIndex<NeedIndexTag> copied_version{};
  std::uint64_t size = 0;  // st_size, bytes
  SymbolKind kind = SymbolKind::NoType;
  Binding binding = Binding::Global;
  Visibility visibility = Visibility::Default;
  Bound bound =
      Bound::Never;  // not Never: its own library asks the loader for it, so an earlier one may take its place
  bool default_version = true;  // name@@VERSION rather than name@VERSION
};
static_assert(sizeof(void*) != 8 || sizeof(Export) == 40);
// A symbol that relocations ask the loader to look up. A symbol that is looked up in two ways has two of them.
struct Reference {
  static constexpr std::uint32_t most_symbols = std::uint32_t{1} << 28;  // of a file; no more are read

  constexpr Reference(std::uint32_t index, bool is_own, LookUp how = LookUp::Data, bool waits = false)
      : symbol(index & (most_symbols - 1)), own(is_own), kind(how), at_first_call(waits) {}

  std::uint32_t symbol : 28;  // into exports if `own`, else into imports
  bool own : 1;
  LookUp kind : 2;
  bool at_first_call : 1;  // a jump slot that may wait; false throughout a file with LoaderFlags::bind_now
};
static_assert(sizeof(Reference) == 4);

struct SearchPath {                              // elements as written, split at ':'; an empty element is kept
  std::vector<std::string_view> rpath, runpath;  // DT_RPATH is ignored by the loader where DT_RUNPATH is present
};
struct LoaderFlags {
  bool symbolic = false;          // DT_SYMBOLIC or DF_SYMBOLIC
  bool bind_now = false;          // DT_BIND_NOW, DF_BIND_NOW or DF_1_NOW
  bool text_relocations = false;  // DT_TEXTREL or DF_TEXTREL
  bool static_tls = false;        // DF_STATIC_TLS
  bool global = false;            // DF_1_GLOBAL
  bool nodelete = false;          // DF_1_NODELETE
  bool noopen = false;            // DF_1_NOOPEN: dlopen refuses it
  bool pie = false;               // DF_1_PIE: dlopen refuses it
  bool relr = false;              // DT_RELR
};
// Symbols that Settings::drop_symbols removed from the facts.
struct DroppedSymbols {
  std::size_t exports = 0, imports = 0, weak_imports = 0;
};
struct DynamicFacts {  // absent in a static program or a relocatable object
  std::optional<std::string_view> soname;
  std::vector<std::string_view> needed;                // DT_NEEDED in file order: the loader walks it so
  std::vector<std::string_view> filters, auxiliaries;  // DT_FILTER, DT_AUXILIARY
  SearchPath search;
  LoaderFlags flags;
  std::vector<VersionNeed> needs;  // in file order
  std::vector<VersionDefinition> provides;
  // In the order of the symbol table; where the names are more than a cache holds, symbols whose names lie near each
  // other come together, in the order of the string table.
  std::vector<Import> imports;
  std::vector<Export> exports;
  std::vector<Reference> references;  // each once, in the order in which the loader comes to them
  DroppedSymbols dropped;
  std::uint32_t symbol_count = 0;            // entries of the dynamic symbol table, the null symbol not counted
  std::uint32_t static_tls_relocations = 0;  // R_*_TPOFF and the like: ask for room in the static TLS block
};

// What the data says in words: lines of printable ASCII that a NUL or a line feed ends. Each list is sorted and holds a
// text once. The tail of a longer text, as linkers merge strings, is not seen by itself.
struct TextFacts {
  std::vector<std::string_view> libraries;    // holds ".so" as a file name does: "libcuda.so.1", "%s/libfoo.so.%d"
  std::vector<std::string_view> versions;     // holds a dotted number or an ISO date: " deflate 1.3.1 Copyright ..."
                                              // or is an exported variable: "xmlParserVersion=21404"
  std::vector<std::string_view> build_paths;  // starts below a home or build directory: "/home/", "/root/", "/__w/"
  bool cut = false;                           // there was more than Limits::texts allows
  // Texts by which code checks, when it is imported, that another package fits: NumPy's message about its C API, ids of
  // the shared state of pybind11 and nanobind, Cython's message about a signature.
  std::vector<std::string_view> interfaces;
};

// Code for GPUs inside a host file: NVIDIA fat binaries and AMD offload bundles, read by their headers alone.
struct DeviceImage {
  enum class Kind { Cubin, Ptx, AmdGpu, Other };
  Kind kind = Kind::Other;
  std::string target;       // "sm_90a", "compute_80", "gfx90a"
  std::uint32_t count = 0;  // images of this kind and target
  std::uint64_t bytes = 0;  // as stored
};
struct DeviceCode {
  std::vector<DeviceImage> images;  // by kind, then by target in natural order
  std::uint64_t bytes = 0;          // of the sections or segments that hold them
};

// Facts that live in sections only; all zero where there are none.
struct SectionFacts {
  std::vector<std::string_view> comments;  // .comment: what each compiler and linker wrote, once each, sorted
  // The value of -march= that compilers recorded in their command lines (DW_AT_producer of gcc, .GCC.command.line), ""
  // for a gcc that was given none; once each, sorted.
  std::vector<std::string_view> marches;
  std::uint64_t debug_bytes = 0;  // .debug_* and .zdebug_*, as stored
  bool symbol_table = false;      // .symtab
};

enum class Relro { None, Partial, Full };
struct Segments {
  std::optional<bool> executable_stack;  // PT_GNU_STACK has PF_X; nullopt: there is no PT_GNU_STACK
  bool writable_code = false;            // a PT_LOAD that is writable and executable
  Relro relro = Relro::None;
  std::uint64_t smallest_load_align = 0;      // bytes, the least p_align of the PT_LOADs; 0 without any
  bool misaligned_load = false;               // a PT_LOAD whose p_offset and p_vaddr differ modulo p_align
  std::uint64_t tls_size = 0, tls_align = 0;  // p_memsz and p_align of PT_TLS; 0 without one
};

// A call of the loader in machine code (x86-64 and AArch64) whose arguments are constants at the place of the call. Not
// read in files of more than 12 MB. Bounded: the first 64, by the fields.
struct LoaderCall {
  enum class Function { Dlopen, Dlmopen, DlsymNext };  // DlsymNext: dlsym(RTLD_NEXT, name)
  Function function = Function::Dlopen;
  std::string name;         // "" where it is not a constant
  std::uint32_t flags = 0;  // RTLD_* of dlopen; 0 where they are not a constant
  bool at_load = false;     // in a constructor or PyInit function, or in what these call
  auto operator<=>(const LoaderCall&) const = default;
};

struct ElfFacts {
  Arch arch = Arch::Other;
  Libc libc = Libc::None;  // from PT_INTERP and DT_NEEDED alone
  ElfKind kind = ElfKind::Other;
  MachineUse use = MachineUse::Host;
  std::uint16_t machine = 0;  // e_machine
  std::string machine_name;   // "x86-64", "x32", "ARM soft-float", "CUDA (190)"
  std::uint16_t bits = 0;     // 32 or 64
  bool little_endian = true;
  std::uint8_t os_abi = 0;   // EI_OSABI
  std::uint32_t flags = 0;   // e_flags
  bool has_sections = true;  // e_shoff != 0
  bool debug_only = false;   // split debug file (objcopy --only-keep-debug): its segments hold no bytes
  std::optional<std::string_view> interpreter;  // PT_INTERP
  std::optional<DynamicFacts> dynamic;
  std::optional<std::string> build_id;  // NT_GNU_BUILD_ID in lower-case hex
  // NT_GNU_PROPERTY_TYPE_0 on x86: bits of GNU_PROPERTY_X86_ISA_1_NEEDED (1 baseline, 2 v2, 4 v3, 8 v4), and whether
  // IBT and SHSTK are on; 0 where absent.
  std::uint32_t x86_isa_needed = 0, x86_isa_used = 0, x86_features = 0;
  Segments segments;
  SectionFacts sections;
  TextFacts texts;
  DeviceCode device;
  // The data holds the module slot {Py_mod_gil, Py_MOD_GIL_NOT_USED} (PEP 703), as a pair of words 4, 1. A likeness.
  bool gil_slot = false;
  std::vector<LoaderCall> loader_calls;
  std::vector<Flaw> flaws;
  std::unique_ptr<const StringPool> strings;
  std::unique_ptr<const StringPool> symbol_names;  // null where `strings` has them too
};

}  // namespace wheelcheck
