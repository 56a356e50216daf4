// The name_of functions of the public headers. All look up the tables in enum_names.h.
#include "model/enum_names.h"

namespace wheelcheck {

std::string_view name_of(Severity value) { return name_in(enum_names<Severity>, value); }
std::string_view name_of(Confidence value) { return name_in(enum_names<Confidence>, value); }
std::string_view name_of(ErrorCode value) { return name_in(enum_names<ErrorCode>, value); }
std::string_view name_of(TagResult value) { return name_in(enum_names<TagResult>, value); }
std::string_view name_of(InterfaceEntry::Group value) { return name_in(enum_names<InterfaceEntry::Group>, value); }
std::string_view name_of(Runs value) { return name_in(enum_names<Runs>, value); }
std::string_view name_of(ElfKind value) { return name_in(enum_names<ElfKind>, value); }
std::string_view name_of(ElfArea value) { return name_in(enum_names<ElfArea>, value); }
std::string_view name_of(SymbolKind value) { return name_in(enum_names<SymbolKind>, value); }
std::string_view name_of(Binding value) { return name_in(enum_names<Binding>, value); }
std::string_view name_of(Relro value) { return name_in(enum_names<Relro>, value); }
std::string_view name_of(DeviceImage::Kind value) { return name_in(enum_names<DeviceImage::Kind>, value); }
std::string_view name_of(ForeignKind value) { return name_in(enum_names<ForeignKind>, value); }
std::string_view name_of(WheelArea value) { return name_in(enum_names<WheelArea>, value); }
std::string_view name_of(LoadCall value) { return name_in(enum_names<LoadCall>, value); }
std::string_view name_of(Reach value) { return name_in(enum_names<Reach>, value); }
std::string_view name_of(Found value) { return name_in(enum_names<Found>, value); }
std::string_view name_of(How value) { return name_in(enum_names<How>, value); }
std::string_view name_of(Attribution::Form value) { return name_in(enum_names<Attribution::Form>, value); }
std::string_view name_of(StringAbi value) { return name_in(enum_names<StringAbi>, value); }
std::string_view name_of(CxxRuntime value) { return name_in(enum_names<CxxRuntime>, value); }
std::string_view name_of(GpuUse value) { return name_in(enum_names<GpuUse>, value); }
std::string_view name_of(RelationKind value) { return name_in(enum_names<RelationKind>, value); }
std::string_view name_of(Reason value) { return name_in(enum_names<Reason>, value); }
std::string_view name_of(MatchedBy value) { return name_in(enum_names<MatchedBy>, value); }
std::string_view name_of(Course value) { return name_in(enum_names<Course>, value); }
std::string_view name_of(SymbolGroup::Kind value) { return name_in(enum_names<SymbolGroup::Kind>, value); }
std::string_view name_of(FindingCourse value) { return name_in(enum_names<FindingCourse>, value); }
std::string_view name_of(ReleaseFinding::Topic value) { return name_in(enum_names<ReleaseFinding::Topic>, value); }
std::string_view name_of(Shift value) { return name_in(enum_names<Shift>, value); }
std::string_view word_of(CxxRuntime runtime) { return name_in(cxx_runtime_words, runtime); }
std::string_view word_of(GpuUse use) { return name_in(gpu_use_words, use); }

}  // namespace wheelcheck
