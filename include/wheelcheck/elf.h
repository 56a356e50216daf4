// The facts of one ELF file, as the dynamic loader sees them. The reader follows PT_DYNAMIC and addresses, not section
// names, wherever the loader does not use sections either (gABI chapters 4 and 5; LSB "Symbol Versioning"). The result
// is plain data that does not change after reading. Each ElfFacts owns its texts: every string_view points into its
// `strings`, and the names of imports and exports point into its `symbol_names`. The struct is therefore move-only.
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
// e_type. Executable: ET_EXEC, or ET_DYN with PT_INTERP and DF_1_PIE.

enum class ElfKind { SharedObject, Executable, Relocatable, Core, Other };
// The kind of processor that runs the code.
enum class MachineUse {
  Host,  // code that the loader of a CPU could map
  // GPU, BPF, DSP: EM_CUDA 190, EM_AMDGPU 224, EM_BPF 247, EM_VE 251 and others. Such files are recognised but not
  // judged as host code.
  Device,
};
enum class ElfArea { Header, ProgramHeaders, Dynamic, Strings, Versions, Symbols, Relocations, Notes };
std::string_view name_of(ElfArea area);  // "program headers"

// Something in the file that could not be read, or that different readers understand differently. The other facts
// remain valid.
struct Flaw {
  ElfArea area = ElfArea::Header;
  bool fatal = false;  // the loader refuses the file, or binds it wrongly, because of it
  std::string reason;  // starts with a lower-case letter, without a full stop
};

enum class SymbolKind : std::uint8_t { NoType, Function, Object, Tls, Ifunc, Common, Other };
// Unique: STB_GNU_UNIQUE, one definition per process.
enum class Binding : std::uint8_t { Global, Weak, Unique };
// STV_*. Hidden and internal symbols do not take part in symbol look-up.
enum class Visibility : std::uint8_t { Default, Protected, Hidden };
// When the loader looks up a symbol for the relocations of the file.
enum class Bound : std::uint8_t { Never, AtFirstCall, AtLoad };
// The class of a look-up: glibc's elf_machine_type_class. Plt: jump slots and TLS.
enum class LookUp : std::uint8_t { Data, Plt, Copy };

// A version need (Vernaux): version `version` of library `library` must exist at load time, or the load fails, unless
// it is weak.
struct VersionNeed {
  std::string_view library;
  std::string_view version;
  std::uint16_t index = 0;  // vna_other
  bool weak = false;        // VER_FLG_WEAK
};
// A version definition (Verdef), without the base version (VER_FLG_BASE).
struct VersionDefinition {
  std::string_view version;
  std::uint16_t index = 0;  // vd_ndx
  bool weak = false;
};
// An undefined symbol (SHN_UNDEF) of the dynamic symbol table.
struct Import {
  std::string_view name;
  std::optional<NeedIndex> need;  // its version, if any
  SymbolKind kind = SymbolKind::NoType;
  Bound bound = Bound::Never;
  Visibility visibility = Visibility::Default;
  bool weak = false;  // STB_WEAK
  // st_value is not 0. The value is the address of a PLT entry of a program that is not position-independent. It is the
  // address of the function for the whole process.
  bool canonical = false;
};
static_assert(sizeof(void*) != 8 || sizeof(Import) == 32);
// A defined symbol with global, weak or unique binding that is not hidden. The size is 40 bytes, because a wheel may
// have a million of them.
struct Export {
  std::string_view name;
  std::optional<std::uint16_t> version;  // into DynamicFacts::provides
  // The version that a program requires of data that it copies from another file (R_*_COPY).
  OptionalIndex<NeedIndexTag> copied_version{};
  std::uint64_t size = 0;  // st_size, bytes
  SymbolKind kind = SymbolKind::NoType;
  Binding binding = Binding::Global;
  Visibility visibility = Visibility::Default;
  // Not Never: the library's own relocations look the symbol up, so an earlier definition can take its place.
  Bound bound = Bound::Never;
  bool default_version = true;  // name@@VERSION rather than name@VERSION
};
static_assert(sizeof(void*) != 8 || sizeof(Export) == 40);
// A symbol that relocations of the file look up. A symbol that is looked up in two ways has two references.
struct Reference {
  static constexpr std::uint32_t max_symbols = std::uint32_t{1} << 28;  // per file; further ones are not read

  constexpr Reference(std::uint32_t index, bool is_own, LookUp how = LookUp::Data, bool waits = false)
      : symbol(index & (max_symbols - 1)), own(is_own), kind(how), at_first_call(waits) {}

  std::uint32_t symbol : 28;  // into exports if `own`, else into imports
  bool own : 1;
  LookUp kind : 2;
  bool at_first_call : 1;  // a jump slot that may be bound lazily; false in every file with LoaderFlags::bind_now
};
static_assert(sizeof(Reference) == 4);

// Search paths, split at ':', elements as written; empty elements are included.
struct SearchPath {
  std::vector<std::string_view> rpath, runpath;  // the loader ignores DT_RPATH if DT_RUNPATH is present
};
struct LoaderFlags {
  bool symbolic = false;          // DT_SYMBOLIC or DF_SYMBOLIC
  bool bind_now = false;          // DT_BIND_NOW, DF_BIND_NOW or DF_1_NOW
  bool text_relocations = false;  // DT_TEXTREL or DF_TEXTREL
  bool static_tls = false;        // DF_STATIC_TLS
  bool global = false;            // DF_1_GLOBAL
  bool nodelete = false;          // DF_1_NODELETE
  bool noopen = false;            // DF_1_NOOPEN: dlopen fails
  bool pie = false;               // DF_1_PIE: dlopen fails
  bool relr = false;              // DT_RELR
  bool read_only = false;         // PT_DYNAMIC has no PF_W and lies in memory that may not be written
};
// Number of symbols that Settings::drop_symbols removed from the facts.
struct DroppedSymbols {
  std::size_t exports = 0, imports = 0, weak_imports = 0;
};
// The content of PT_DYNAMIC. Absent in a static program and in a relocatable object.
struct DynamicFacts {
  std::optional<std::string_view> soname;
  std::vector<std::string_view> needed;                // DT_NEEDED in file order, which is the order of the loader
  std::vector<std::string_view> filters, auxiliaries;  // DT_FILTER, DT_AUXILIARY
  SearchPath search;
  LoaderFlags flags;
  std::vector<VersionNeed> needs;  // in file order
  std::vector<VersionDefinition> provides;
  // In the order of the symbol table. If the names are larger than a CPU cache, symbols with neighbouring names are
  // together, in the order of the string table.
  std::vector<Import> imports;
  std::vector<Export> exports;
  std::vector<std::string_view> exports_at_zero;  // functions with the absolute value 0; at most 100
  std::vector<Reference> references;              // without duplicates, in the order in which the loader processes them
  DroppedSymbols dropped;
  std::uint32_t symbol_count = 0;                // entries of the dynamic symbol table without the null symbol
  std::uint32_t static_tls_relocations = 0;      // R_*_TPOFF and similar: they need space in the static TLS block
  std::uint32_t own_static_tls_relocations = 0;  // of those, the ones of the file's own variables
  // TLS descriptors of the file's own variables. The loader places these in the static TLS block while it has space.
  std::uint32_t own_tls_descriptors = 0;
  std::vector<std::uint32_t> types_not_in_musl;  // relocation types that its loader refuses; sorted, at most 8
};

// An exported variable whose name ends in "version" and whose value is a text: xmlParserVersion, "21404".
struct VersionVariable {
  std::string_view name, value;
  auto operator<=>(const VersionVariable&) const = default;
};
// Texts of the data: lines of printable ASCII that end at a NUL or a line feed. Each list is sorted and without
// duplicates. A text that is the tail of a longer text, because the linker merged them, is not listed separately.
struct TextFacts {
  std::vector<std::string_view> libraries;  // contains ".so" as a file name does: "libcuda.so.1", "%s/libfoo.so.%d"
  std::vector<std::string_view> versions;   // contains a dotted number or an ISO date: " deflate 1.3.1 Copyright ..."
  std::vector<VersionVariable> version_names;  // by name
  std::vector<std::string_view> build_paths;   // starts below a home or build directory: "/home/", "/root/", "/__w/"
  // Files of certificate authorities at fixed places: "/etc/pki/tls/certs/ca-bundle.crt" (curl, --with-ca-bundle),
  // "/etc/pki/tls/cert.pem" (OpenSSL, X509_CERT_FILE of crypto/cryptlib.h).
  std::vector<std::string_view> certificate_files;
  bool cut = false;  // Limits::texts was reached, and more texts exist
};

// A C function that a module of Cython exports to other modules, or imports from them: "f", "int (int, double)".
struct CythonFunction {
  std::string_view name, signature;
  auto operator<=>(const CythonFunction&) const = default;
};
// A type that an extension module defines (elf/python_types.cpp).
struct DefinedType {
  std::string_view name;                  // "numpy.dtype"
  std::uint64_t size = 0, item_size = 0;  // bytes of an object, and of each further item
  auto operator<=>(const DefinedType&) const = default;
};
// A type of another module that a module of Cython imports. The import fails if the objects of the type are smaller
// than at compile time, with `exact` also if they are larger (Cython/Utility/ImportExport.c, __Pyx_ImportType).
struct ImportedType {
  std::string_view name;
  std::uint64_t size = 0;
  bool exact = false;
  bool warns = false;  // of a larger object: RuntimeWarning
  bool accepts(const DefinedType& type) const {
    return type.size + type.item_size >= size && (!exact || type.size <= size);
  }
  auto operator<=>(const ImportedType&) const = default;
};
// What a file expects of other packages and of the system when it is imported: the checks that NumPy, pybind11,
// nanobind and Cython generate into every module that uses them, as texts of the data and as constants of the machine
// code. Each list is sorted and without duplicates.
struct InterfaceFacts {
  // Messages of NumPy's check: "module compiled against ABI version 0x%x but this version of numpy is 0x%x".
  std::vector<std::string_view> numpy_messages;
  std::vector<std::string_view> numpy_modules;  // "numpy._core._multiarray_umath", "numpy.core.multiarray"
  // NPY_FEATURE_VERSION in the machine code (elf/numpy_feature.cpp); 0: it is not known.
  std::uint32_t numpy_feature = 0;
  // "v11_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1": modules with the same id share registered C++ types (pybind11,
  // detail/internals.h, PYBIND11_INTERNALS_ID; nanobind, src/nb_abi.h, NB_ABI_TAG).
  std::vector<std::string_view> pybind11_ids, nanobind_ids;
  // "15gptj_gpt_params": the names of the std::type_info of C++ types that a module registers with pybind11 for all
  // modules (elf/pybind11_types.cpp).
  std::vector<std::string_view> pybind11_types;
  bool pybind11_status = false;  // makes the Python module of absl::Status (pybind11_abseil/import_status_module.cc)
  // How many arguments of functions that pybind11 makes are matrices of Eigen: "{numpy.ndarray[numpy.float64[3, 3]]}".
  // Its conversion copies the array with PyArray_CopyInto (pybind11/eigen/matrix.h).
  std::uint32_t eigen_matrices = 0;
  // The slots of the module that pybind11 makes at run time, with 4 (Py_mod_gil) only if its value is
  // Py_MOD_GIL_NOT_USED (elf/module_slots.cpp). Empty: they are not known.
  std::vector<std::uint32_t> module_slots;
  // Messages of Cython's code that imports C functions or variables and compares their signatures.
  std::vector<std::string_view> cython_messages;
  std::vector<CythonFunction> cython_exports, cython_imports;  // elf/cython_capi.cpp
  std::vector<std::string_view> cython_modules;                // that C functions are imported from
  std::vector<DefinedType> defined_types;
  std::vector<ImportedType> imported_types;
  std::uint64_t jemalloc_page = 0;  // the page size in bytes that a jemalloc was compiled for; 0: it is not known
  bool operator==(const InterfaceFacts&) const = default;
};

// Code for GPUs inside a host file: NVIDIA fat binaries and AMD offload bundles. Only their headers are read.
struct DeviceImage {
  enum class Kind { Cubin, Ptx, AmdGpu, Other };
  Kind kind = Kind::Other;
  std::string target;          // "sm_90a", "compute_80", "gfx90a"
  std::uint32_t count = 0;     // images of this kind and target
  std::uint64_t bytes = 0;     // as stored, possibly compressed
  std::uint64_t unpacked = 0;  // after decompression, as the headers say
};
struct DeviceCode {
  std::vector<DeviceImage> images;  // by kind, then by target in natural order
  std::uint64_t bytes = 0;          // size of the sections or segments that contain them
};

// What the sections of one name occupy in the file.
struct SectionSize {
  std::string_view name;
  std::uint64_t bytes = 0;
  auto operator<=>(const SectionSize&) const = default;
};
// Facts from the section table. All are zero or empty in a file without sections.
struct SectionFacts {
  std::vector<std::string_view> comments;  // .comment: the text of each compiler and linker, sorted, without duplicates
  // The value of -march= that compilers record in their command lines (DW_AT_producer of gcc, .GCC.command.line); ""
  // for a gcc that was called without it. Sorted, without duplicates.
  std::vector<std::string_view> marches;
  std::uint64_t debug_bytes = 0;   // .debug_* and .zdebug_*, as stored
  std::uint64_t symbol_bytes = 0;  // .symtab and .strtab, as stored
  std::vector<SectionSize> sizes;  // by name, at most 200; no byte counts twice
};

// Read-only relocations: PT_GNU_RELRO, and Full with DF_BIND_NOW.
enum class Relro { None, Partial, Full };
struct Segments {
  std::optional<bool> executable_stack;  // PT_GNU_STACK has PF_X; nullopt: no PT_GNU_STACK
  bool writable_code = false;            // a PT_LOAD that is writable and executable
  Relro relro = Relro::None;
  std::uint64_t smallest_load_align = 0;  // bytes, the smallest p_align of the PT_LOAD segments; 0 if there are none
  bool misaligned_load = false;           // a PT_LOAD whose p_offset and p_vaddr are not congruent modulo p_align
  std::uint64_t largest_page = 0;  // bytes; p_offset and p_vaddr of each PT_LOAD are congruent modulo it; 0: equal
  std::uint64_t tls_size = 0, tls_align = 0;  // bytes; p_memsz and p_align of PT_TLS; 0 if there is none
};

// NT_GNU_ABI_TAG: the system and the oldest kernel for which the file was built. glibc before 2.36 opens no library of
// another system or for a later kernel than the one that runs (elf/dl-load.c, open_verify).
struct AbiNote {
  std::uint32_t system = 0;  // 0: Linux
  std::uint32_t major = 0, minor = 0, patch = 0;
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

// An instruction that some processors of the machine lack and that loading the file reaches: on the way from a
// constructor, a resolver of an indirect function or a PyInit function, where nothing tests the processor
// (elf/startup_code.cpp). x86-64 and AArch64.
struct StartupInstruction {
  std::uint32_t x86_level = 3;  // the lowest level of x86-64 that has it: 2 to 4; 0 on AArch64
  std::uint64_t address = 0;
  std::string entry;        // PyInit_core, DT_INIT, DT_INIT_ARRAY or R_IRELATIVE: what leads there
  std::string function;     // the exported function in which it is; "" if there is none
  std::string instruction;  // "vaddps"
  std::string feature;      // "AVX", "LSE"
  bool certain = false;     // every way from the entry on executes such an instruction
};
// AVX instructions in a file that neither tests the processor nor has names that are about processors
// (elf/vector_code.cpp). x86-64 only.
struct VectorCode {
  std::uint32_t x86_level = 3;  // 3: AVX, 4: AVX-512
  std::uint64_t count = 0;      // instructions
  std::uint64_t address = 0;    // the first one
  std::string function;         // the exported function in which it is; "" if there is none
  bool cut = false;             // they were counted in 16 MB of the code
};

// All facts of one ELF file.
struct ElfFacts {
  Arch arch = Arch::Other;
  Libc libc = Libc::None;  // from PT_INTERP and DT_NEEDED only
  ElfKind kind = ElfKind::Other;
  MachineUse use = MachineUse::Host;
  std::uint16_t machine = 0;  // e_machine
  std::string machine_name;   // "x86-64", "x32", "ARM soft-float", "CUDA (190)"
  std::uint16_t bits = 0;     // 32 or 64
  bool little_endian = true;
  std::uint8_t os_abi = 0;   // EI_OSABI
  std::uint32_t flags = 0;   // e_flags
  bool has_sections = true;  // the file contains a section table
  bool debug_only = false;   // split debug file (objcopy --only-keep-debug): its segments have no content
  std::optional<std::string_view> interpreter;  // PT_INTERP
  std::optional<DynamicFacts> dynamic;
  std::optional<std::string> build_id;  // NT_GNU_BUILD_ID in lower-case hex
  // NT_GNU_PROPERTY_TYPE_0 on x86: the bits of GNU_PROPERTY_X86_ISA_1_NEEDED and GNU_PROPERTY_X86_ISA_1_USED (1
  // baseline, 2 v2, 4 v3, 8 v4), and of GNU_PROPERTY_X86_FEATURE_1_AND (IBT, SHSTK). 0 where absent.
  std::uint32_t x86_isa_needed = 0, x86_isa_used = 0, x86_features = 0;
  std::optional<AbiNote> abi_note;
  Segments segments;
  SectionFacts sections;
  TextFacts texts;
  InterfaceFacts interfaces;
  DeviceCode device;
  // The data contains the module slot {Py_mod_gil, Py_MOD_GIL_NOT_USED} (PEP 703), as a pair of words 4 and 1. This is
  // a heuristic: other data may have the same words.
  bool gil_slot = false;
  std::vector<LoaderCall> loader_calls;
  std::vector<StartupInstruction> startup;  // one for each feature, by its name
  bool startup_cut = false;                 // the search for them ended at its limit
  std::optional<VectorCode> vector_code;
  // The machine code writes code to the stack and runs it there (elf/trampolines.cpp). Read in files that ask for an
  // executable stack, for x86-64 and AArch64.
  std::optional<bool> trampolines;
  std::vector<Flaw> flaws;
  std::unique_ptr<const StringPool> strings;
  std::unique_ptr<const StringPool> symbol_names;  // null: they are in `strings`
};

}  // namespace wheelcheck
