// WC704: members whose names or kinds are odd. What is really unsafe is refused before any rule runs.
#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const auto fix = [](const WheelFlaw&) { return "rename or remove the file and build the wheel again"; };
  const bool unpacked = view.wheel.size == 0;
  emit_wheel_flaws(view, emit, {WheelArea::Member}, fix, unpacked ? std::optional(Severity::Warning) : std::nullopt);
}

}  // namespace

extern const Rule zip_unsafe_path{
    .code = "WC704",
    .name = "zip-unsafe-path",
    .severity = Severity::Error,
    .summary = "A member of the archive has an odd name or kind.",
    .why =
        "Names that differ only in case overwrite each other on some file systems, invisible and right-to-left "
        "characters "
        "show another name than the one that is installed, symbolic links and devices are turned into plain files by "
        "installers, and indexes refuse archives with data descriptors or comments. Archives that can be read in two "
        "ways, or that would write outside their directory, are refused altogether and get no findings.",
    .remedy =
        "Rename or remove the file in the sources and build the wheel again; to drop odd ZIP structures, `wheel "
        "unpack WHEEL` and `wheel pack DIRECTORY`.",
    .false_positives =
        "Test data with odd names on purpose. Of a directory, whose links and names are not what a wheel will hold, it "
        "is a warning.",
    .check = check,
};

}  // namespace wheelcheck::rules
