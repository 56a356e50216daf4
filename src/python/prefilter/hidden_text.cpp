// exec() of a literal is followed by tokens alone: what a statement assigns to a name, and what a later call of exec or
// eval gets. Texts that are joined, reversed, computed from numbers, or read from files are not followed, nor functions
// of the standard library that run a text (timeit, cProfile, pickle).
#include "python/prefilter/hidden_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/byte_scan.h"
#include "base/text.h"
#include "python/prefilter/lines.h"
#include "python/prefilter/prune.h"

namespace wheelcheck::python {
namespace {

constexpr auto decoders = std::to_array<std::string_view>(
    {"a2b_base64", "a2b_hex",          "a2b_qp",    "a2b_uu",    "a85decode",   "b16decode",
     "b32decode",  "b32hexdecode",     "b64decode", "b85decode", "decodebytes", "decodestring",
     "decompress", "fromhex",          "marshal",   "rot13",     "rot_13",      "standard_b64decode",
     "unhexlify",  "urlsafe_b64decode"});
// Encodings in which ASCII letters are other bytes, as codecs.decode() and bytes.decode() take them.
constexpr auto encodings = std::to_array<std::string_view>(
    {"base64", "bz2",    "cp037",          "cp500",          "hex",    "quopri", "raw_unicode_escape",
     "rot13",  "rot_13", "unicode-escape", "unicode_escape", "utf-16", "utf-32", "utf-7",
     "utf16",  "utf32",  "utf7",           "utf_16",         "utf_32", "utf_7",  "uu",
     "zip",    "zlib"});
// Functions and methods whose result is made of the text that they get. Of others, it is something else: what a
// subprocess prints (glfw 2.11.0).
constexpr auto text_functions =
    std::to_array<std::string_view>({"bytearray", "bytes", "compile", "decode", "dedent", "encode", "format", "get",
                                     "join", "lstrip", "replace", "rstrip", "str", "strip"});
// A literal of fewer bytes cannot load a library.
constexpr std::size_t least_literal = 20;

bool is_runner(std::string_view name) { return name == "exec" || name == "eval"; }
bool is_builtins(std::string_view name) { return name == "builtins" || name == "__builtins__"; }
bool is_decoder(std::string_view name) { return std::ranges::find(decoders, name) != decoders.end(); }

// The name exec or eval is somewhere in the text, or FunctionType, which makes functions of compiled code.
bool may_run_text(std::string_view source) {
  const auto test = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == 'x') & (d == 'e')) | ((c == 'v') & (d == 'a')) | ((c == 'n') & (d == 'T'));
  };
  return any_pair(source, 0, source.size(), test, [&](std::size_t at) {
    if (source.substr(at + 1).starts_with("Type")) return source.substr(0, at + 1).ends_with("Function");
    if (at == 0 || !is_runner(source.substr(at - 1, 4))) return false;
    return (at == 1 || !is_name_byte(source[at - 2])) && (at + 3 == source.size() || !is_name_byte(source[at + 3]));
  });
}

// Parts of the decoders' names, with the place of two letters that are rare in code.
constexpr auto parts_of_decoders = std::to_array<std::pair<std::string_view, std::size_t>>({{"a2b_", 1},
                                                                                            {"decode", 1},
                                                                                            {"decompress", 1},
                                                                                            {"fromhex", 3},
                                                                                            {"marshal", 3},
                                                                                            {"rot13", 3},
                                                                                            {"rot_13", 4},
                                                                                            {"unhexlify", 4}});
static_assert(std::ranges::all_of(decoders, [](std::string_view name) {
  return std::ranges::any_of(parts_of_decoders, [&](const auto& part) { return name.contains(part.first); });
}));

// One of these parts is somewhere in the text.
bool may_decode(std::string_view source) {
  const auto test = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == '2') & (d == 'b')) | ((c == 'e') & (d == 'c')) | ((c == 'm') & (d == 'h')) |
            ((c == 's') & (d == 'h')) | ((c == '1') & (d == '3')) | ((c == 'x') & (d == 'l'));
  };
  return any_pair(source, 0, source.size(), test, [&](std::size_t at) {
    return std::ranges::any_of(parts_of_decoders, [&](const auto& part) {
      return at >= part.second && source.substr(at - part.second).starts_with(part.first);
    });
  });
}

// The text of a literal without escapes; its prefix is another token.
std::string_view body_of(std::string_view literal) {
  const std::size_t quotes = literal.starts_with("\"\"\"") || literal.starts_with("'''") ? 3 : 1;
  return literal.size() < 2 * quotes ? "" : literal.substr(quotes, literal.size() - 2 * quotes);
}

// What an expression is made of, as far as its tokens show it.
struct Made {
  bool loads = false;    // a literal with a loading word
  bool decodes = false;  // a function that decodes
  std::size_t literals = 0;

  void add(Token token, std::string_view piece) {
    const std::string_view body = token == Token::String ? body_of(piece) : "";
    const bool encoding = !body.empty() && std::ranges::find(encodings, lower(body.substr(0, 20))) != encodings.end();
    loads = loads || (token == Token::String && holds_loading_word(piece));
    if (token == Token::String && !encoding) literals += piece.size();
    decodes = decodes || encoding || is_decoder(token == Token::Name ? piece : body);
  }
  bool is_hidden() const { return loads || (decodes && literals >= least_literal); }
};

class Search {
 public:
  explicit Search(std::string_view source) : source_(source), makes_functions_(source.contains("FunctionType")) {}

  bool run() {
    for (std::size_t at = 0; at < source_.size();) {
      const std::size_t begin = at;
      const Token token = next_token(source_, at);
      if (at > source_.size()) return false;
      const std::string_view piece = source_.substr(begin, at - begin);
      if (depth_ == 0 && (token == Token::Newline || piece == ";") && end_statement()) return true;
      if (is_filler(token)) continue;
      if (token == Token::Close && ends_call()) return true;
      take(token, piece);
      last_ = piece;
    }
    return end_statement();
  }

 private:
  struct Call {
    std::size_t depth = 0;  // of its arguments
    Made made;
    bool tainted = false;
  };

  static bool keeps_text(std::string_view function) {
    return function.empty() || std::ranges::find(text_functions, function) != text_functions.end() ||
           is_decoder(function);
  }
  // Words that stand between the names that a statement gives a text, and the text.
  static bool is_keyword(std::string_view name) {
    constexpr std::string_view keywords[] = {"as", "async", "case",  "else", "for", "if",
                                             "in", "is",    "match", "not",  "with"};
    return contains(keywords, name);
  }

  bool decodes(std::string_view name) const { return is_decoder(name) || aliases_.contains(name); }

  void take(Token token, std::string_view piece) {
    if (token == Token::Open) ++depth_;
    if (piece == "(" && last_ == owner_ && !keeps_text(owner_)) opaque_ = true;
    if (piece == "(" && last_ == owner_ && (decodes(owner_) || decodes(module_))) ++decoder_calls_;
    has_lambda_ = has_lambda_ || piece == "lambda";
    if (piece == "(" && runs_ && !call_) call_ = {.depth = depth_, .made = {}};
    if (first_.empty()) first_ = piece;
    if (piece == ":" && key_ <= max_key) made_.literals -= key_;
    if (piece == "=" && depth_ > 0 && is_runner(last_)) has_runner_ = false;  // an argument of that name
    const std::size_t before = made_.literals;
    Made one;
    one.add(token, piece);
    if (one.decodes || (token == Token::Name && aliases_.contains(piece))) ++decoders_;
    made_.add(token, piece);
    key_ = last_ == "{" || last_ == "," ? made_.literals - before : 0;
    if (token == Token::String) {
      names_builtins_ = names_builtins_ || is_builtins(body_of(piece));
      has_runner_ = has_runner_ || (names_builtins_ && is_runner(body_of(piece)));
    }
    if (call_) call_->made.add(token, piece);
    if (token == Token::Name) {
      names_builtins_ = names_builtins_ || is_builtins(piece);
      if (aliases_.contains(piece)) made_.decodes = true;
      if (aliases_.contains(piece) && call_) call_->made.decodes = true;
      if (last_ == "as" && is_decoder(owner_before_as_)) aliases_.insert(piece);
      if (piece == "as") owner_before_as_ = owner_;
      if (names_.size() < max_names) names_.push_back(piece);
      if (literals_.contains(piece)) made_.literals += least_literal;
      if (literals_.contains(piece) && call_) call_->made.literals += least_literal;
      const bool is_tainted = tainted_.contains(piece) || (first_ == "case" && matches_);
      uses_ = uses_ || (is_tainted && !assigned_.empty());
      if (call_) call_->tainted = call_->tainted || is_tainted || piece == "__doc__";
      const bool is_method = last_ == "." && !names_builtins_;
      runs_ = is_runner(piece) && !is_method && last_ != "def";
      has_runner_ = has_runner_ || runs_;
      runs_ = runs_ ||
              (makes_functions_ && last_ != "def" && (piece == "FunctionType" || (piece == "compile" && last_ != ".")));
      module_ = last_ == "." ? owner_ : "";
      owner_ = piece;
    } else {
      constexpr std::string_view comparison = "=!<>";
      if (piece == "=" && depth_ == 0 && !owner_.empty() && !comparison.contains(last_.front()))
        assigned_.push_back(owner_);
      runs_ = false;
    }
  }

  // True if a call of exec or eval ends here that got a hidden text.
  bool ends_call() {
    const bool ends = call_ && call_->depth == depth_;
    if (depth_ > 0) --depth_;
    if (!ends) return false;
    const bool hidden = call_->tainted || call_->made.is_hidden();
    call_.reset();
    return hidden;
  }

  // True if the statement names exec or eval and a hidden text, as in map(exec, [text]).
  bool end_statement() {
    const bool hidden = made_.is_hidden(), runs = hidden && has_runner_;
    const bool binds = first_ == "for" || first_ == "async" || (first_ == "case" && matches_);
    if (first_ != "case" && !first_.empty()) matches_ = first_ == "match" && hidden;
    if (binds && (hidden || matches_))
      std::ranges::copy_if(names_, std::inserter(tainted_, tainted_.end()),
                           [](auto name) { return !is_keyword(name); });
    if (hidden || (uses_ && !opaque_)) tainted_.insert(assigned_.begin(), assigned_.end());
    if (made_.decodes && made_.literals == 0 && (decoders_ != decoder_calls_ || has_lambda_))
      aliases_.insert(assigned_.begin(), assigned_.end());
    if (made_.literals >= least_literal) literals_.insert(assigned_.begin(), assigned_.end());
    assigned_.clear();
    names_.clear();
    made_ = {};
    uses_ = runs_ = opaque_ = has_runner_ = names_builtins_ = has_lambda_ = false;
    key_ = decoders_ = decoder_calls_ = 0;
    owner_ = first_ = {};
    return runs;
  }

  std::string_view source_;
  bool makes_functions_;  // of compiled code, which a call of them runs
  std::size_t depth_ = 0;
  std::string_view last_, owner_;           // the token before, the last name of the statement
  bool runs_ = false;                       // that name is exec or eval
  Made made_;                               // of the statement
  std::vector<std::string_view> assigned_;  // the names that it assigns to
  bool uses_ = false;                       // it assigns the value of a tainted name
  static constexpr std::size_t max_key = 24;
  std::size_t key_ = 0;  // size of the token before, if it may be a key of a dictionary: short ones are not counted
  bool opaque_ = false;  // it calls a function that does not return the text
  std::optional<Call> call_;  // of exec or eval, around the token
  static constexpr std::size_t max_names = 64;
  std::vector<std::string_view> names_;  // of the statement
  std::string_view first_;               // its first token
  std::string_view owner_before_as_;     // the name before the last `as`
  bool has_runner_ = false;              // it names exec or eval
  std::string_view module_;              // the name before the dot before owner_
  // How often it names a decoder, and calls one. If it calls each, its value is a text, and no function that decodes.
  std::size_t decoders_ = 0, decoder_calls_ = 0;
  bool has_lambda_ = false;
  bool names_builtins_ = false;                    // and their module
  bool matches_ = false;                           // a `match` with a hidden text, whose `case` may be the statement
  std::set<std::string_view> aliases_;             // names of functions that decode
  std::set<std::string_view> literals_, tainted_;  // names with a long literal, with a hidden text
};

bool is_plain(std::uint32_t code) {
  constexpr std::uint32_t ascii = 0x80;
  return code < ascii &&
         (is_alnum(static_cast<char>(code)) || std::string_view("_-./").contains(static_cast<char>(code)));
}

// The character with a name of the Unicode Character Database; 0 for one that is not plain.
char named(std::string_view name) {
  constexpr auto signs = std::to_array<std::pair<std::string_view, char>>({{"low line", '_'},
                                                                           {"hyphen-minus", '-'},
                                                                           {"full stop", '.'},
                                                                           {"solidus", '/'},
                                                                           {"digit zero", '0'},
                                                                           {"digit one", '1'},
                                                                           {"digit two", '2'},
                                                                           {"digit three", '3'},
                                                                           {"digit four", '4'},
                                                                           {"digit five", '5'},
                                                                           {"digit six", '6'},
                                                                           {"digit seven", '7'},
                                                                           {"digit eight", '8'},
                                                                           {"digit nine", '9'}});
  const std::string key = lower(name);
  for (const auto& [sign, c] : signs)
    if (key == sign) return c;
  constexpr std::string_view small = "latin small letter ", capital = "latin capital letter ";
  if (key.size() == small.size() + 1 && key.starts_with(small) && is_alpha(key.back())) return key.back();
  if (key.size() == capital.size() + 1 && key.starts_with(capital) && is_alpha(key.back()))
    return static_cast<char>(key.back() - 'a' + 'A');
  return 0;
}

// The plain character of the escape sequence at the start of the text, which begins with a backslash, and its length.
std::pair<char, std::size_t> plain_escape(std::string_view text) {
  constexpr std::size_t longest_name = 32;
  const char kind = text.size() > 1 ? text[1] : '\0';
  if (kind == 'N') {
    const std::size_t end = text.substr(0, longest_name).find('}');
    if (!text.starts_with("\\N{") || end == text.npos) return {};
    return {named(text.substr(3, end - 3)), end + 1};
  }
  const bool octal = kind >= '0' && kind <= '7';
  const std::size_t begin = octal ? 1 : 2, max = octal ? 3 : kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  std::uint32_t code = 0;
  std::size_t digits = 0;
  for (; digits < max && begin + digits < text.size(); ++digits) {
    const std::uint32_t base = octal ? 8 : 16, digit = hex_value(text[begin + digits]);
    if (digit >= base) break;
    code = code * base + digit;
  }
  if (digits == 0 || (!octal && digits < max) || !is_plain(code)) return {};
  return {static_cast<char>(code), begin + digits};
}

}  // namespace

bool runs_hidden_text(std::string_view source) {
  if (!may_run_text(source)) return false;
  return (holds_loading_word(source) || may_decode(source)) && Search(source).run();
}

std::string_view with_plain_letters(std::string_view source, std::string& buffer) {
  std::string out;
  std::size_t done = 0;  // up to here the text is in `out`
  for (std::size_t at = source.find('\\'); at < source.size(); at = source.find('\\', at)) {
    const auto [c, size] = plain_escape(source.substr(at));
    if (c == 0) {
      at += 2;  // the character behind a backslash begins no escape sequence
      continue;
    }
    out.append(source.substr(done, at - done)).push_back(c);
    done = at += size;
  }
  if (done == 0) return source;
  out += source.substr(done);
  buffer = std::move(out);
  return buffer;
}

}  // namespace wheelcheck::python
