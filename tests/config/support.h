// A configuration file that uses every key, and functions that read configuration from a text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "config/read.h"

namespace wheelcheck::config {

inline bool is_known_rule(std::string_view word) {
  const bool is_code = word.starts_with("WC") && word.size() <= 5 && word != "WC999";
  return is_code || word == "executable-stack" || word == "dlopen-inventory";
}
inline Known known() { return {&is_known_rule, {"executable-stack", "WC601", "WC604", "WC103", "WC201"}}; }

inline Result<Config> read(const std::string& path, std::string_view text) {
  return read_config({path, text}, known(), {});
}
inline Config read_good(std::string_view text) {
  Result<Config> config = read("w.toml", text);
  EXPECT_TRUE(config.has_value()) << config.error().message;
  return config ? *config : Config();
}
inline std::string mistakes(std::string_view text) {
  const Result<Config> config = read("w.toml", text);
  return config ? "" : config.error().message;
}

inline constexpr std::string_view every_key = R"(
schema-version = 1
require-tag = "manylinux_2_28"
select = ["WC"]
ignore = ["WC604", "executable-stack"]
severity = { WC604 = "error" }
fail-on = "warning"
pedantic = true
self-contained = true
own-namespaces = ["tensorflow", "tsl"]
own-sonames = ["libtensorflow_*.so.2"]
max-size = "600MB"
max-exports = 5000
leak-threshold = 10
index = "pypi"
export-budget = { "**/libtensorflow_cc.so.2" = 500000 }
require-cxx11-abi = "new"
require-sm = ["80", 90]
policies = ["policies/my-linux.json"]
knowledge = ["knowledge.json"]
size-budget = { "**/*.so" = "50MB" }
[[forbid-exports]]
symbols = "google::protobuf::*"
path = "**/libtriton.so"
reason = "clashes with tensorflow"
[[allow-exports]]
symbols = "foo_*"
reason = "the public API"
[[forbid-needed]]
library = "libcuda.so*"
reason = "the driver is opened with dlopen"
[[external]]
library = "libcudart.so.13"
dist = "nvidia-cuda-runtime"
when = "extra:cuda"
[[ignore-rule]]
rule = "WC201"
path = "**/libtriton.so"
reason = "tracked in #123"
until = 2027-01-31
[[overrides]]
wheel = "*-musllinux_*"
ignore = ["WC103"]
)";

}  // namespace wheelcheck::config
