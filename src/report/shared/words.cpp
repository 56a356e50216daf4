// The names of enumeration values in reports, the same in every format.
#include "report/shared/names.h"

namespace wheelcheck::report {

std::string_view name_of(Found found) {
  switch (found) {
    case Found::InWheel:
      return "in-wheel";
    case Found::InProvider:
      return "in-provider";
    case Found::InProcess:
      return "in-process";
    case Found::Declared:
      return "declared";
    case Found::Outside:
      break;
  }
  return "outside";
}

std::string_view name_of(How how) {
  switch (how) {
    case How::Rpath:
      return "rpath";
    case How::Runpath:
      return "runpath";
    case How::AlreadyLoaded:
      return "already-loaded";
    case How::Path:
      return "path";
    case How::None:
      break;
  }
  return "none";
}

std::string_view name_of(ElfKind kind) {
  switch (kind) {
    case ElfKind::SharedObject:
      return "shared-object";
    case ElfKind::Executable:
      return "executable";
    case ElfKind::Relocatable:
      return "relocatable";
    case ElfKind::Core:
      return "core";
    case ElfKind::Other:
      break;
  }
  return "other";
}

std::string_view name_of(Relro relro) {
  switch (relro) {
    case Relro::Full:
      return "full";
    case Relro::Partial:
      return "partial";
    case Relro::None:
      break;
  }
  return "none";
}

std::string_view name_of(WheelArea area) {
  switch (area) {
    case WheelArea::Name:
      return "name";
    case WheelArea::DistInfo:
      return "dist-info";
    case WheelArea::Wheel:
      return "wheel";
    case WheelArea::Metadata:
      return "metadata";
    case WheelArea::Record:
      return "record";
    case WheelArea::Variant:
      return "variant";
    case WheelArea::Sbom:
      return "sbom";
    case WheelArea::Member:
      break;
  }
  return "member";
}

std::string_view name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage:
      return "usage";
    case ErrorCode::BadPolicy:
      return "bad-policy";
    case ErrorCode::NotFound:
      return "not-found";
    case ErrorCode::NotAWheel:
      return "not-a-wheel";
    case ErrorCode::Rejected:
      return "rejected";
    case ErrorCode::OverLimit:
      return "over-limit";
    case ErrorCode::Io:
      break;
  }
  return "io";
}

std::string_view name_of(DeviceImage::Kind kind) {
  switch (kind) {
    case DeviceImage::Kind::Cubin:
      return "cubin";
    case DeviceImage::Kind::Ptx:
      return "ptx";
    case DeviceImage::Kind::AmdGpu:
      return "amdgpu";
    case DeviceImage::Kind::Other:
      break;
  }
  return "other";
}

std::string_view name_of(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::NoType:
      return "notype";
    case SymbolKind::Function:
      return "function";
    case SymbolKind::Object:
      return "object";
    case SymbolKind::Tls:
      return "tls";
    case SymbolKind::Ifunc:
      return "ifunc";
    case SymbolKind::Common:
      return "common";
    case SymbolKind::Other:
      break;
  }
  return "other";
}

std::string_view name_of(Binding binding) {
  switch (binding) {
    case Binding::Global:
      return "global";
    case Binding::Weak:
      return "weak";
    case Binding::Unique:
      break;
  }
  return "unique";
}

std::string_view name_of(Attribution::Form form) {
  switch (form) {
    case Attribution::Form::C:
      return "c";
    case Attribution::Form::Cxx:
      return "c++";
    case Attribution::Form::Rust:
      break;
  }
  return "rust";
}

std::string_view word_of(CxxRuntime runtime) {
  switch (runtime) {
    case CxxRuntime::None:
      break;
    case CxxRuntime::Libstdcxx:
      return "libstdc++";
    case CxxRuntime::Hybrid:
      return "libstdc++-hybrid";
    case CxxRuntime::StaticLibstdcxx:
      return "libstdc++-static";
    case CxxRuntime::Libcxx:
      return "libc++";
    case CxxRuntime::StaticLibcxx:
      return "libc++-static";
    case CxxRuntime::Undecided:
      return "undecided";
  }
  return "none";
}

std::string_view word_of(GpuUse use) {
  switch (use) {
    case GpuUse::Needed:
      return "needed";
    case GpuUse::Bundled:
      return "bundled";
    case GpuUse::Dlopen:
      return "dlopen";
    case GpuUse::Named:
      return "named";
    case GpuUse::Python:
      return "python";
    case GpuUse::Declared:
      break;
  }
  return "declared";
}

}  // namespace wheelcheck::report
