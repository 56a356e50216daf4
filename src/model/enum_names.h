// The names of enumerators, in one table per enumeration. Reports, the cache and error messages use the same names. Two
// lookups work on every table: name_in (value to name) and value_in (name to value).
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "wheelcheck/analysis.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/conflicts.h"
#include "wheelcheck/diff.h"
#include "wheelcheck/elf.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/interfaces.h"
#include "wheelcheck/member.h"
#include "wheelcheck/python.h"
#include "wheelcheck/release.h"
#include "wheelcheck/result.h"
#include "wheelcheck/simulation.h"
#include "wheelcheck/system_compatibility.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

template <class Enum, std::size_t n>
using EnumTable = std::array<std::pair<Enum, std::string_view>, n>;

// "" for a value that is not in the table.
template <class Enum, std::size_t n>
constexpr std::string_view name_in(const EnumTable<Enum, n>& table, Enum value) {
  for (const auto& [each, name] : table)
    if (each == value) return name;
  return {};
}
template <class Enum, std::size_t n>
constexpr std::optional<Enum> value_in(const EnumTable<Enum, n>& table, std::string_view name) {
  for (const auto& [each, known] : table)
    if (known == name) return each;
  return std::nullopt;
}

// The table of an enumeration; specialised below.
template <class Enum>
inline constexpr EnumTable<Enum, 0> enum_names{};

template <>
inline constexpr EnumTable<Severity, 3> enum_names<Severity>{
    {{Severity::Note, "note"}, {Severity::Warning, "warning"}, {Severity::Error, "error"}}};
template <>
inline constexpr EnumTable<Confidence, 3> enum_names<Confidence>{
    {{Confidence::Low, "low"}, {Confidence::Medium, "medium"}, {Confidence::High, "high"}}};
template <>
inline constexpr EnumTable<ErrorCode, 7> enum_names<ErrorCode>{{{ErrorCode::Usage, "usage"},
                                                                {ErrorCode::BadPolicy, "bad-policy"},
                                                                {ErrorCode::NotFound, "not-found"},
                                                                {ErrorCode::NotAWheel, "not-a-wheel"},
                                                                {ErrorCode::Rejected, "rejected"},
                                                                {ErrorCode::OverLimit, "over-limit"},
                                                                {ErrorCode::Io, "io"}}};
template <>
inline constexpr EnumTable<TagResult, 4> enum_names<TagResult>{{{TagResult::Compatible, "compatible"},
                                                                {TagResult::Incompatible, "incompatible"},
                                                                {TagResult::NoMinimum, "no minimum"},
                                                                {TagResult::Unknown, "unknown"}}};
template <>
inline constexpr EnumTable<InterfaceEntry::Group, 12> enum_names<InterfaceEntry::Group>{
    {{InterfaceEntry::Group::Python, "python"},
     {InterfaceEntry::Group::Numpy, "numpy"},
     {InterfaceEntry::Group::Pybind11, "pybind11"},
     {InterfaceEntry::Group::Nanobind, "nanobind"},
     {InterfaceEntry::Group::Cython, "cython"},
     {InterfaceEntry::Group::Torch, "torch"},
     {InterfaceEntry::Group::Abseil, "abseil"},
     {InterfaceEntry::Group::Protobuf, "protobuf"},
     {InterfaceEntry::Group::Cffi, "cffi"},
     {InterfaceEntry::Group::Library, "library"},
     {InterfaceEntry::Group::System, "system"},
     {InterfaceEntry::Group::Gpu, "gpu"}}};
template <>
inline constexpr EnumTable<Runs, 3> enum_names<Runs>{
    {{Runs::Yes, "yes"}, {Runs::No, "no"}, {Runs::Depends, "depends"}}};
template <>
inline constexpr EnumTable<MachineUse, 2> enum_names<MachineUse>{
    {{MachineUse::Host, "host"}, {MachineUse::Device, "device"}}};
template <>
inline constexpr EnumTable<ElfKind, 5> enum_names<ElfKind>{{{ElfKind::SharedObject, "shared-object"},
                                                            {ElfKind::Executable, "executable"},
                                                            {ElfKind::Relocatable, "relocatable"},
                                                            {ElfKind::Core, "core"},
                                                            {ElfKind::Other, "other"}}};
template <>
inline constexpr EnumTable<ElfArea, 8> enum_names<ElfArea>{{{ElfArea::Header, "header"},
                                                            {ElfArea::ProgramHeaders, "program headers"},
                                                            {ElfArea::Dynamic, "dynamic section"},
                                                            {ElfArea::Strings, "strings"},
                                                            {ElfArea::Versions, "versions"},
                                                            {ElfArea::Symbols, "symbols"},
                                                            {ElfArea::Relocations, "relocations"},
                                                            {ElfArea::Notes, "notes"}}};
template <>
inline constexpr EnumTable<SymbolKind, 7> enum_names<SymbolKind>{{{SymbolKind::NoType, "notype"},
                                                                  {SymbolKind::Function, "function"},
                                                                  {SymbolKind::Object, "object"},
                                                                  {SymbolKind::Tls, "tls"},
                                                                  {SymbolKind::Ifunc, "ifunc"},
                                                                  {SymbolKind::Common, "common"},
                                                                  {SymbolKind::Other, "other"}}};
template <>
inline constexpr EnumTable<Binding, 3> enum_names<Binding>{
    {{Binding::Global, "global"}, {Binding::Weak, "weak"}, {Binding::Unique, "unique"}}};
template <>
inline constexpr EnumTable<Relro, 3> enum_names<Relro>{
    {{Relro::Full, "full"}, {Relro::Partial, "partial"}, {Relro::None, "none"}}};
template <>
inline constexpr EnumTable<DeviceImage::Kind, 4> enum_names<DeviceImage::Kind>{{{DeviceImage::Kind::Cubin, "cubin"},
                                                                                {DeviceImage::Kind::Ptx, "ptx"},
                                                                                {DeviceImage::Kind::AmdGpu, "amdgpu"},
                                                                                {DeviceImage::Kind::Other, "other"}}};
template <>
inline constexpr EnumTable<LoaderCall::Function, 3> enum_names<LoaderCall::Function>{
    {{LoaderCall::Function::Dlopen, "dlopen"},
     {LoaderCall::Function::Dlmopen, "dlmopen"},
     {LoaderCall::Function::DlsymNext, "dlsym-next"}}};
template <>
inline constexpr EnumTable<PythonCut, 6> enum_names<PythonCut>{{{PythonCut::None, ""},
                                                                {PythonCut::Bytecode, "bytecode"},
                                                                {PythonCut::Encoding, "encoding"},
                                                                {PythonCut::Text, "text"},
                                                                {PythonCut::Size, "size"},
                                                                {PythonCut::Steps, "steps"}}};
template <>
inline constexpr EnumTable<ForeignKind, 22> enum_names<ForeignKind>{
    {{ForeignKind::None, ""},
     {ForeignKind::Zip, "zip archive"},
     {ForeignKind::Gzip, "gzip data"},
     {ForeignKind::Bzip2, "bzip2 data"},
     {ForeignKind::Xz, "xz data"},
     {ForeignKind::Zstandard, "zstandard data"},
     {ForeignKind::SevenZip, "7z archive"},
     {ForeignKind::Ar, "ar archive"},
     {ForeignKind::MachO, "Mach-O file"},
     {ForeignKind::WindowsProgram, "Windows program"},
     {ForeignKind::WebAssembly, "WebAssembly"},
     {ForeignKind::LlvmBitcode, "LLVM bitcode"},
     {ForeignKind::CudaFatBinary, "CUDA fat binary"},
     {ForeignKind::Ptx, "PTX"},
     {ForeignKind::OffloadBundle, "offload bundle"},
     {ForeignKind::SpirV, "SPIR-V"},
     {ForeignKind::JavaClass, "Java class"},
     {ForeignKind::Inside, "data with an ELF file inside"},
     {ForeignKind::EmptyLibrary, "empty file named as a library"},
     {ForeignKind::LinkerScript, "linker script"},
     {ForeignKind::TextLibrary, "text named as a library"},
     {ForeignKind::DataLibrary, "data named as a library"}}};
template <>
inline constexpr EnumTable<WheelArea, 15> enum_names<WheelArea>{{{WheelArea::Name, "name"},
                                                                 {WheelArea::DistInfo, "dist-info"},
                                                                 {WheelArea::Wheel, "wheel"},
                                                                 {WheelArea::Metadata, "metadata"},
                                                                 {WheelArea::Record, "record"},
                                                                 {WheelArea::Absent, "absent"},
                                                                 {WheelArea::Variant, "variant"},
                                                                 {WheelArea::Sbom, "sbom"},
                                                                 {WheelArea::Member, "member"},
                                                                 {WheelArea::IndexArchive, "index-archive"},
                                                                 {WheelArea::IndexMetadata, "index-metadata"},
                                                                 {WheelArea::IndexClassifier, "index-classifier"},
                                                                 {WheelArea::IndexDependency, "index-dependency"},
                                                                 {WheelArea::IndexLicence, "index-licence"},
                                                                 {WheelArea::IndexEntryPoints, "index-entry-points"}}};
template <>
inline constexpr EnumTable<LoadCall, 4> enum_names<LoadCall>{{{LoadCall::SetDlopenFlags, "sys.setdlopenflags"},
                                                              {LoadCall::Cdll, "ctypes.CDLL"},
                                                              {LoadCall::CffiDlopen, "ffi.dlopen"},
                                                              {LoadCall::FindLibrary, "ctypes.util.find_library"}}};
template <>
inline constexpr EnumTable<Reach, 3> enum_names<Reach>{
    {{Reach::Possible, "possible"}, {Reach::Likely, "likely"}, {Reach::Certain, "certain"}}};
template <>
inline constexpr EnumTable<PythonAction, 8> enum_names<PythonAction>{{{PythonAction::Import, "import"},
                                                                      {PythonAction::Call, "call"},
                                                                      {PythonAction::Enter, "enter"},
                                                                      {PythonAction::Leave, "leave"},
                                                                      {PythonAction::Pause, "pause"},
                                                                      {PythonAction::SaveFlags, "save_flags"},
                                                                      {PythonAction::SetFlags, "set_flags"},
                                                                      {PythonAction::Load, "load"}}};
template <>
inline constexpr EnumTable<Found, 6> enum_names<Found>{{{Found::InWheel, "in-wheel"},
                                                        {Found::InProvider, "in-provider"},
                                                        {Found::InProcess, "in-process"},
                                                        {Found::Declared, "declared"},
                                                        {Found::Required, "required"},
                                                        {Found::Outside, "outside"}}};
template <>
inline constexpr EnumTable<LibrarySource::Kind, 4> enum_names<LibrarySource::Kind>{
    {{LibrarySource::Kind::Distribution, "distribution"},
     {LibrarySource::Kind::Extra, "extra"},
     {LibrarySource::Kind::Driver, "driver"},
     {LibrarySource::Kind::BackEnd, "back-end"}}};
template <>
inline constexpr EnumTable<How, 5> enum_names<How>{{{How::Rpath, "rpath"},
                                                    {How::Runpath, "runpath"},
                                                    {How::AlreadyLoaded, "already-loaded"},
                                                    {How::Path, "path"},
                                                    {How::None, "none"}}};
template <>
inline constexpr EnumTable<Attribution::Form, 3> enum_names<Attribution::Form>{
    {{Attribution::Form::C, "c"}, {Attribution::Form::Cxx, "c++"}, {Attribution::Form::Rust, "rust"}}};
template <>
inline constexpr EnumTable<StringAbi, 4> enum_names<StringAbi>{
    {{StringAbi::None, "none"}, {StringAbi::Old, "old"}, {StringAbi::New, "new"}, {StringAbi::Both, "both"}}};
template <>
inline constexpr EnumTable<CxxRuntime, 7> enum_names<CxxRuntime>{
    {{CxxRuntime::None, "none"},
     {CxxRuntime::Libstdcxx, "libstdc++"},
     {CxxRuntime::Hybrid, "libstdc++, newer parts linked in"},
     {CxxRuntime::StaticLibstdcxx, "libstdc++, linked in"},
     {CxxRuntime::Libcxx, "libc++"},
     {CxxRuntime::StaticLibcxx, "libc++, linked in"},
     {CxxRuntime::Undecided, "undecided"}}};
template <>
inline constexpr EnumTable<GpuUse, 6> enum_names<GpuUse>{{{GpuUse::Needed, "linked"},
                                                          {GpuUse::Bundled, "bundled"},
                                                          {GpuUse::Dlopen, "named for dlopen"},
                                                          {GpuUse::Named, "named"},
                                                          {GpuUse::Python, "loaded by Python code"},
                                                          {GpuUse::Declared, "declared"}}};
template <>
inline constexpr EnumTable<RelationKind, 4> enum_names<RelationKind>{{{RelationKind::Capture, "capture"},
                                                                      {RelationKind::Borrow, "borrow"},
                                                                      {RelationKind::Displaced, "displaced"},
                                                                      {RelationKind::SharedUnique, "shared-unique"}}};
template <>
inline constexpr EnumTable<Reason, 11> enum_names<Reason>{{{Reason::TypeInformation, "type-information"},
                                                           {Reason::SameBuild, "same-build"},
                                                           {Reason::AbiProof, "abi-proof"},
                                                           {Reason::Incompatible, "incompatible"},
                                                           {Reason::Divided, "divided"},
                                                           {Reason::InlineCode, "inline-code"},
                                                           {Reason::OlderProvider, "older-provider"},
                                                           {Reason::SameVersion, "same-version"},
                                                           {Reason::NewerProvider, "newer-provider"},
                                                           {Reason::UnknownVersion, "unknown-version"},
                                                           {Reason::MissingAlone, "missing-alone"}}};
template <>
inline constexpr EnumTable<MatchedBy, 8> enum_names<MatchedBy>{{{MatchedBy::None, "none"},
                                                                {MatchedBy::Path, "path"},
                                                                {MatchedBy::Release, "release"},
                                                                {MatchedBy::Content, "content"},
                                                                {MatchedBy::Name, "name"},
                                                                {MatchedBy::Soname, "soname"},
                                                                {MatchedBy::Library, "library"},
                                                                {MatchedBy::Directory, "directory"}}};
template <>
inline constexpr EnumTable<Course, 5> enum_names<Course>{{{Course::Same, "same"},
                                                          {Course::Raised, "raised"},
                                                          {Course::Lowered, "lowered"},
                                                          {Course::Added, "added"},
                                                          {Course::Removed, "removed"}}};
template <>
inline constexpr EnumTable<ReleaseFinding::Topic, 7> enum_names<ReleaseFinding::Topic>{
    {{ReleaseFinding::Topic::Hole, "hole"},
     {ReleaseFinding::Topic::Floor, "floor"},
     {ReleaseFinding::Topic::Version, "version"},
     {ReleaseFinding::Topic::Metadata, "metadata"},
     {ReleaseFinding::Topic::Content, "content"},
     {ReleaseFinding::Topic::Sdist, "sdist"},
     {ReleaseFinding::Topic::Growth, "growth"}}};
template <>
inline constexpr EnumTable<SymbolGroup::Kind, 6> enum_names<SymbolGroup::Kind>{
    {{SymbolGroup::Kind::Namespace, "namespace"},
     {SymbolGroup::Kind::Library, "library"},
     {SymbolGroup::Kind::Python, "python"},
     {SymbolGroup::Kind::Platform, "platform"},
     {SymbolGroup::Kind::C, "c"},
     {SymbolGroup::Kind::Rust, "rust"}}};
template <>
inline constexpr EnumTable<FindingCourse, 4> enum_names<FindingCourse>{{{FindingCourse::New, "new"},
                                                                        {FindingCourse::Worse, "worse"},
                                                                        {FindingCourse::Milder, "milder"},
                                                                        {FindingCourse::Fixed, "fixed"}}};
template <>
inline constexpr EnumTable<Shift, 4> enum_names<Shift>{
    {{Shift::Same, "same"}, {Shift::Gains, "gains"}, {Shift::Loses, "loses"}, {Shift::Mixed, "mixed"}}};

// Names without blanks, for JSON.
inline constexpr EnumTable<CxxRuntime, 7> cxx_runtime_words{{{CxxRuntime::None, "none"},
                                                             {CxxRuntime::Libstdcxx, "libstdc++"},
                                                             {CxxRuntime::Hybrid, "libstdc++-hybrid"},
                                                             {CxxRuntime::StaticLibstdcxx, "libstdc++-static"},
                                                             {CxxRuntime::Libcxx, "libc++"},
                                                             {CxxRuntime::StaticLibcxx, "libc++-static"},
                                                             {CxxRuntime::Undecided, "undecided"}}};
inline constexpr EnumTable<GpuUse, 6> gpu_use_words{{{GpuUse::Needed, "needed"},
                                                     {GpuUse::Bundled, "bundled"},
                                                     {GpuUse::Dlopen, "dlopen"},
                                                     {GpuUse::Named, "named"},
                                                     {GpuUse::Python, "python"},
                                                     {GpuUse::Declared, "declared"}}};

std::string_view name_of(Found value);
std::string_view name_of(How value);
std::string_view name_of(ElfKind value);
std::string_view name_of(Relro value);
std::string_view name_of(WheelArea value);
std::string_view name_of(ErrorCode value);
std::string_view name_of(DeviceImage::Kind value);
std::string_view name_of(SymbolKind value);
std::string_view name_of(Binding value);
std::string_view name_of(Attribution::Form value);
std::string_view word_of(CxxRuntime runtime);  // "libstdc++-static"
std::string_view word_of(GpuUse use);          // "dlopen"

}  // namespace wheelcheck
