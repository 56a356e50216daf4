#include "tests/report/sample.h"

namespace wheelcheck::test {

Assessment scored(const std::vector<std::string>& level_names, const std::vector<Scored>& requirements,
                  std::size_t files) {
  Assessment out;
  out.arch = Arch::x86_64;
  out.level_names = level_names;
  out.levels.resize(level_names.size());
  out.files = files;
  for (std::uint32_t i = 0; i < requirements.size(); ++i) {
    out.requirements.push_back(requirements[i].first);
    for (std::size_t level = requirements[i].second + 1; level < level_names.size(); ++level)
      out.levels[level].unmet_requirements.push_back(RequirementIndex{i});
  }
  while (out.best.value + 1 < out.levels.size() && out.levels[out.best.value + 1].unmet_requirements.empty())
    ++out.best.value;
  return out;
}

Claim claim(const Assessment& assessment, std::string_view tag, bool in_name, bool in_wheel_file) {
  Claim out;
  out.tag = parse_platform_tag(tag);
  out.in_name = in_name;
  out.in_wheel_file = in_wheel_file;
  for (std::uint32_t i = 0; i < assessment.level_names.size(); ++i) {
    if (assessment.level_names[i] != out.tag.canonical) continue;
    out.assessment = 0;
    out.level = LevelIndex{i};
    out.unmet_requirements = assessment.levels[i].unmet_requirements;
    out.tag_result = out.unmet_requirements.empty() ? TagResult::Compatible : TagResult::Incompatible;
    if (!out.unmet_requirements.empty())
      out.reason = std::to_string(out.unmet_requirements.size()) + " of " +
                   std::to_string(assessment.requirements.size()) + " requirements are not met";
  }
  return out;
}

WheelReport with_facts(WheelFacts facts) {
  WheelReport out;
  out.resolution = resolve_by_name(facts);
  out.facts = std::move(facts);
  return out;
}

void judge(WheelReport& wheel, Assessment assessment, std::vector<Claim> claims) {
  wheel.verdict.claims = std::move(claims);
  wheel.verdict.best_tag = assessment.level_names[assessment.best.value];
  wheel.verdict.best_tags = {wheel.verdict.best_tag};
  wheel.assessments.push_back(std::move(assessment));
}

WheelReport broken_wheel() {
  const std::string fast = "measure/_fast.cpython-311-x86_64-linux-gnu.so";
  const std::string plot = "measure/plot/_plot.cpython-311-x86_64-linux-gnu.so";
  const std::string wave = "measure.libs/libwave-1a2b3c4d.so.3.1.0";
  WheelBuilder builder("measure-1.4.0-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl");
  builder.member("measure/__init__.py", 4711)
      .elf(ElfBuilder(fast)
               .needed("libwave-1a2b3c4d.so.3.1.0")
               .needed("libstdc++.so.6")
               .needed("libc.so.6")
               .runpath("$ORIGIN/../measure.libs")
               .import("memcpy", "libc.so.6", "GLIBC_2.14")
               .import("printf", "libc.so.6", "GLIBC_2.2.5")
               .import("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
                       "libstdc++.so.6", "GLIBCXX_3.4.22")
               .import("wave_open", "libwave-1a2b3c4d.so.3.1.0", "WAVE_3"))
      .elf(ElfBuilder(plot).needed("libc.so.6").needed("libm.so.6").import("exp", "libm.so.6", "GLIBC_2.2.5"))
      .elf(ElfBuilder(wave)
               .soname("libwave-1a2b3c4d.so.3.1.0")
               .needed("libexpat.so.1")
               .needed("libc.so.6")
               .runpath("")
               .defines("WAVE_3")
               .import("fcntl64", "libc.so.6", "GLIBC_2.28")
               .import("explicit_bzero", "libc.so.6", "GLIBC_2.25")
               .import("getrandom", "libc.so.6", "GLIBC_2.25"));
  WheelReport out = with_facts(builder.build());
  const ElfIndex f = elf_at(out.facts, fast), p = elf_at(out.facts, plot), w = elf_at(out.facts, wave);
  const Assessment assessment =
      scored(manylinux_rungs,
             {{{f, LibraryRequirement{"libc.so.6"}}, 7},
              {{f, LibraryRequirement{"libstdc++.so.6"}}, 7},
              {{f, VersionRequirement{"libc.so.6", "GLIBC_2.14", {"memcpy"}}}, 5},
              {{f, VersionRequirement{"libstdc++.so.6", "GLIBCXX_3.4.22", {"_ZNSt6thread15_M_start_threadEv"}}}, 4},
              {{p, LibraryRequirement{"libm.so.6"}}, 7},
              {{p, VersionRequirement{"libm.so.6", "GLIBC_2.2.5", {"exp"}}}, 7},
              {{w, LibraryRequirement{"libc.so.6"}}, 7},
              {{w, LibraryRequirement{"libexpat.so.1"}}, 6},
              {{w, VersionRequirement{"libc.so.6", "GLIBC_2.25", {"explicit_bzero", "getrandom"}}}, 4},
              {{w, VersionRequirement{"libc.so.6", "GLIBC_2.28", {"fcntl64"}}}, 3}},
             3);
  Claim old_name = claim(assessment, "manylinux2014_x86_64");
  Claim in_file = claim(assessment, "manylinux_2_28_x86_64", false, true);
  judge(out, assessment, {old_name, claim(assessment, "manylinux_2_17_x86_64"), in_file});
  out.findings = {
      {.rule = &too_new,
       .severity = Severity::Error,
       .place = AtElf{w},
       .message = "requires GLIBC_2.28 of libc.so.6 for fcntl64, above the 2.17 of the tag",
       .evidence = {{"library", "libc.so.6"}, {"node", "GLIBC_2.28"}, {"symbols", "fcntl64"}},
       .fix = "build libwave in a manylinux_2_17 image (manylinux2014_x86_64), or compile it without "
              "-D_FILE_OFFSET_BITS=64; else rename the wheel with: wheel tags --platform-tag manylinux_2_28_x86_64"},
      {.rule = &empty_runpath,
       .severity = Severity::Warning,
       .place = AtElf{w},
       .message = "RUNPATH has an empty element, which is the current directory",
       .evidence = {{"RUNPATH", ""}},
       .fix = "patchelf --remove-rpath measure.libs/libwave-1a2b3c4d.so.3.1.0"}};
  out.failed = true;
  return out;
}

WheelReport external_wheel() {
  const std::string tide = "tide/_tide.cpython-311-x86_64-linux-gnu.so";
  WheelBuilder builder("tide-0.3-cp311-cp311-manylinux_2_17_x86_64.whl");
  builder.elf(ElfBuilder(tide).needed("libtides.so.2").needed("libmoon.so.1").needed("libc.so.6"))
      .elf(ElfBuilder("tide.libs/libmoon.so.1").no_dynamic().libc(Libc::None));
  WheelReport out = with_facts(builder.build());
  const ElfIndex t = elf_at(out.facts, tide), moon = elf_at(out.facts, "tide.libs/libmoon.so.1");
  NeededFound& lost = out.resolution.needed[t.value][1];
  lost.found = Found::Outside;
  lost.how = How::None;
  lost.by = lost.provider = std::nullopt;
  lost.unreached = ElfRef{WheelIndex{0}, moon};
  const Assessment assessment = scored(manylinux_rungs,
                                       {{{t, IsaRequirement{3}}, 0},
                                        {{t, LibraryRequirement{"libc.so.6"}}, 7},
                                        {{t, LibraryRequirement{"libmoon.so.1"}}, 0},
                                        {{t, LibraryRequirement{"libtides.so.2"}}, 0},
                                        {{t, SymbolRequirement{"libz.so.1", "gzgetc_"}}, 4},
                                        {{t, MissingVersionRequirement{"libmoon.so.1", "MOON_2"}}, 0},
                                        {{t, InterpreterRequirement{"PyUnicodeUCS2_AsUTF8String"}}, 0},
                                        {{t, MachineRequirement{Arch::x86_64}}, 7}},
                                       2);
  judge(out, assessment, {claim(assessment, "manylinux_2_17_x86_64")});
  out.findings = {
      {.rule = &not_allowed,
       .severity = Severity::Error,
       .place = AtElf{t},
       .message = "requires libtides.so.2, which is neither in the wheel nor allowed by manylinux_2_17_x86_64",
       .evidence = {},
       .fix = "auditwheel repair --plat manylinux_2_17_x86_64 " + out.facts.file}};
  out.failed = true;
  return out;
}

WheelReport kept_wheel() {
  WheelBuilder builder("tidy-2.0-cp311-cp311-manylinux_2_28_x86_64.whl");
  for (int i = 10; i < 30; ++i)
    builder.elf(ElfBuilder("tidy/_part" + std::to_string(i) + ".cpython-311-x86_64-linux-gnu.so")
                    .needed("libc.so.6")
                    .import("memcpy", "libc.so.6", i == 17 ? "GLIBC_2.14" : "GLIBC_2.2.5"));
  WheelReport out = with_facts(builder.build());
  std::vector<Scored> requirements;
  for (std::uint32_t i = 0; i < 20; ++i) {
    requirements.push_back({{ElfIndex{i}, LibraryRequirement{"libc.so.6"}}, 7});
    requirements.push_back(
        {{ElfIndex{i}, VersionRequirement{"libc.so.6", i == 7 ? "GLIBC_2.14" : "GLIBC_2.2.5", {"memcpy"}}},
         i == 7 ? 5u : 7u});
  }
  const Assessment assessment = scored(manylinux_rungs, requirements, 20);
  judge(out, assessment, {claim(assessment, "manylinux_2_28_x86_64")});
  out.findings = {{.rule = &more_compatible,
                   .severity = Severity::Note,
                   .place = WholeWheel{},
                   .message = "the content fits manylinux_2_17_x86_64",
                   .evidence = {},
                   .fix = "wheel tags --platform-tag manylinux_2_17_x86_64"}};
  return out;
}

WheelReport pure_wheel() {
  WheelReport out = with_facts(WheelBuilder("six-1.17.0-py2.py3-none-any.whl").member("six.py", 34703).build());
  Claim any;
  any.tag = parse_platform_tag("any");
  any.in_name = any.in_wheel_file = true;
  any.tag_result = TagResult::Compatible;
  out.verdict = {.claims = {any}, .pure = true, .best_tag = "any", .best_tags = {"any"}};
  return out;
}

WheelReport hostile_wheel() {
  WheelBuilder builder("evil-1-py3-none-linux_x86_64.whl");
  builder.elf(ElfBuilder("evil/\xE2\x80\xAE"
                         "os.so")
                  .needed("lib\x1b[2J.so")
                  .needed("libc.so.6")
                  .import("bad\xff\xfename\n", "libc.so.6", "GLIBC_2\xc0")
                  .flaw(ElfArea::Versions, true, "name \x07 rings"));
  WheelReport out = with_facts(builder.build());
  const Assessment assessment = scored(
      manylinux_rungs, {{{ElfIndex{0}, VersionRequirement{"libc.so.6", "GLIBC_2\xc0", {"bad\xff\xfename\n"}}}, 0}}, 1);
  Claim linux_claim = claim(assessment, "linux_x86_64");
  linux_claim.tag_result = TagResult::NoMinimum;
  judge(out, assessment, {linux_claim});
  out.facts.flaws.push_back({WheelArea::Record, std::nullopt, "../../etc/\x80", "is no path in the archive"});
  out.findings = {{.rule = &too_new,
                   .severity = Severity::Warning,
                   .place = AtPath{"../\x1b]0;owned\x07"},
                   .message = "message with \x1b[31mcolour",
                   .evidence = {{"\r", "\xff"}},
                   .fix = ""}};
  return out;
}

Unreadable unreadable_input() {
  return {"/home/someone/dist/notes.whl",
          {ErrorCode::NotAWheel, "/home/someone/dist/notes.whl is not a ZIP archive: no end record"}};
}

}  // namespace wheelcheck::test
