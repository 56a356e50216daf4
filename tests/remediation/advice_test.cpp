// Tests which remedy is given for an import, and that the table has the most frequent ones.
#include "remediation/advice.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "knowledge/tables.h"
#include "tests/report/schema.h"
#include "tests/support/kept.h"

namespace wheelcheck {
namespace {

using remediation::advice_for;
using remediation::told_of;
using testing::HasSubstr;

Knowledge small() {
  Knowledge out;
  out.remedies = {{"all", {}, test::kept_list({"GLIBC_2.*"}), {}, "of any", "a test"},
                  {"close", test::kept_list({"clo*"}), {}, {}, "of clo", "a test"},
                  {"closer", test::kept_list({"close*"}), {}, {}, "bind {symbol}@{base}", "a test"},
                  {"node", {}, test::kept_list({"GLIBC_2.34"}), {}, "of the node", "a test"},
                  {"other", test::kept_list({"*"}), test::kept_list({"GLIBC_2.34"}), test::kept_list({"libz.so.*"}),
                   "of another library", "a test"}};
  return out;
}

std::string name_of(const KnownRemedy* remedy) { return std::string(remedy == nullptr ? "none" : remedy->name); }

TEST(Remedy, IsTheOneThatSaysMostOfTheSymbolThenOfTheNode) {
  const Knowledge known = small();
  EXPECT_EQ(name_of(find_remedy(known, "libc.so.6", "GLIBC_2.34", "close_range")), "closer");
  EXPECT_EQ(name_of(find_remedy(known, "libc.so.6", "GLIBC_2.34", "clone3")), "close");
  EXPECT_EQ(name_of(find_remedy(known, "libc.so.6", "GLIBC_2.34", "dlopen")), "node");
  EXPECT_EQ(name_of(find_remedy(known, "libc.so.6", "GLIBC_2.33", "dlopen")), "all");
  EXPECT_EQ(name_of(find_remedy(known, "libz.so.1", "GLIBC_2.34", "dlopen")), "other");
  EXPECT_EQ(name_of(find_remedy(known, "libc.so.6", "GCC_3.0", "dlopen")), "none");
  EXPECT_EQ(name_of(find_remedy(known, "libc.so.6", "GLIBC_2.34", "")), "node") << "a node that no symbol names";
}

TEST(Remedy, NamesTheNodeOfTheMachineAndTheSymbol) {
  const Knowledge known = small();
  const auto advice = [&](Arch arch) { return advice_for({"libc.so.6", "GLIBC_2.34", "close", arch}, known).text; };
  EXPECT_EQ(advice(Arch::x86_64), "bind {symbol}@GLIBC_2.2.5");
  EXPECT_EQ(advice(Arch::aarch64), "bind {symbol}@GLIBC_2.17");
  EXPECT_EQ(told_of(advice(Arch::i686), {{"close", {}}}), "bind close@GLIBC_2.0");
  EXPECT_EQ(told_of(advice(Arch::i686), {{"close", {}}, {"closed", {}}}), "bind close@GLIBC_2.0; likewise the others");
  EXPECT_EQ(told_of("the same", {{"close", {}}, {"closed", {}}}), "the same");
}

TEST(Remedy, IsAGeneralOneWhereNothingIsKnown) {
  const remediation::Advice advice = advice_for({"libq.so.1", "Q_2", "q", Arch::x86_64}, small());
  EXPECT_FALSE(advice.known);
  EXPECT_THAT(advice.text, HasSubstr("as old as the tag"));
}

struct ReadPlan {
  const char *library, *node, *symbol, *remedy;
};

TEST(RemedyTable, KnowsWhatWheelsMeetMost) {
  const Knowledge known = knowledge::builtin_knowledge();
  for (const auto& [library, node, symbol, remedy] : {
           ReadPlan{"libc.so.6", "GLIBC_2.28", "fcntl64", "fcntl64"},
           ReadPlan{"libm.so.6", "GLIBC_2.27", "logf", "libm-float-errors"},
           ReadPlan{"libm.so.6", "GLIBC_2.29", "pow", "libm-double-errors"},
           ReadPlan{"libm.so.6", "GLIBC_2.23", "lgamma", "lgamma"},
           ReadPlan{"libm.so.6", "GLIBC_2.15", "__exp_finite", "libm-finite"},
           ReadPlan{"libc.so.6", "GLIBC_2.14", "memcpy", "memcpy"},
           ReadPlan{"libc.so.6", "GLIBC_2.17", "clock_gettime", "clock"},
           ReadPlan{"libc.so.6", "GLIBC_2.34", "pthread_create", "merged-libraries"},
           ReadPlan{"libc.so.6", "GLIBC_2.34", "dlsym", "merged-libraries"},
           ReadPlan{"libc.so.6", "GLIBC_2.34", "__libc_start_main", "libc-start-main"},
           ReadPlan{"libc.so.6", "GLIBC_2.34", "pthread_cond_clockwait", "clockwait"},
           ReadPlan{"libc.so.6", "GLIBC_2.34", "mtx_lock", "merged-libraries"},
           ReadPlan{"libc.so.6", "GLIBC_2.28", "mtx_lock", "c11-threads"},
           ReadPlan{"libc.so.6", "GLIBC_2.33", "fstat64", "stat"},
           ReadPlan{"libc.so.6", "GLIBC_2.38", "__isoc23_strtol", "isoc23"},
           ReadPlan{"libc.so.6", "GLIBC_2.25", "getrandom", "getrandom"},
           ReadPlan{"libc.so.6", "GLIBC_2.28", "statx", "kernel-calls"},
           ReadPlan{"libc.so.6", "GLIBC_ABI_DT_RELR", "", "dt-relr"},
           ReadPlan{"libstdc++.so.6", "GLIBCXX_3.4.30", "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
                    "libstdcxx"},
           ReadPlan{"libstdc++.so.6", "CXXABI_1.3.13", "", "libstdcxx"},
           ReadPlan{"libgcc_s.so.1", "GCC_7.0.0", "__divmodti4", "libgcc"},
           ReadPlan{"libz.so.1", "ZLIB_1.2.9", "adler32_z", "zlib"},
           ReadPlan{"libc.so.6", "GLIBC_2.26", "strtof128", "none"},
           ReadPlan{"libz.so.1", "", "inflateUndermine", "none"},
       })
    EXPECT_EQ(name_of(find_remedy(known, library, node, symbol)), remedy) << symbol << "@" << node;
}

TEST(RemedyTable, FitsItsSchema) {
  const auto text_of = [](const std::string& file) {
    std::ifstream in(WHEELCHECK_SOURCE_DIR "/data/" + file, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  const test::SchemaCheck schema(text_of("schema/remedies.schema.json"));
  EXPECT_EQ(schema.errors(nlohmann::json::parse(text_of("remedies.json"))), "");
  for (const char* const wrong : {R"([{"name": "a", "advice": "b", "source": "c"}])",
                                  R"([{"name": "a", "symbols": [], "advice": "b", "source": "c"}])",
                                  R"([{"name": "a", "symbols": ["x"], "advice": "b"}])",
                                  R"([{"name": "a", "symbols": ["x"], "advice": "", "source": "c"}])",
                                  R"([{"name": "a", "symbols": ["x"], "advice": "b", "source": "c", "d": 1}])"}) {
    const std::string table = std::string(R"({"remedies": )") + wrong + "}";
    EXPECT_NE(schema.errors(nlohmann::json::parse(table)), "") << table;
    const auto read = knowledge::read_tables(table, "mine.json");
    ASSERT_FALSE(read) << table;
    EXPECT_EQ(read.error().code, ErrorCode::BadPolicy);
    EXPECT_THAT(read.error().message, HasSubstr("mine.json: /remedies/0"));
  }
}

TEST(RemedyTable, TakesTheUsersWord) {
  auto own = knowledge::read_tables(
      R"({"remedies": [{"name": "fcntl64", "symbols": ["fcntl64"], "advice": "ask us", "source": "us"}]})",
      "mine.json");
  ASSERT_TRUE(own);
  const Knowledge known = knowledge::merged(knowledge::builtin_knowledge(), std::move(*own));
  EXPECT_EQ(find_remedy(known, "libc.so.6", "GLIBC_2.28", "fcntl64")->advice, "ask us");
}

}  // namespace
}  // namespace wheelcheck
