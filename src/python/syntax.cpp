#include "python/syntax.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

extern "C" const TSLanguage* tree_sitter_python();

namespace wheelcheck::python {
namespace {

constexpr auto kinds = std::to_array<std::pair<std::string_view, Kind>>({
    {"ERROR", Kind::Error},
    {"aliased_import", Kind::Alias},
    {"as_pattern", Kind::AsPattern},
    {"as_pattern_target", Kind::AsTarget},
    {"assignment", Kind::Assignment},
    {"attribute", Kind::Attribute},
    {"augmented_assignment", Kind::Augmented},
    {"binary_operator", Kind::Binary},
    {"block", Kind::Block},
    {"boolean_operator", Kind::Boolean},
    {"break_statement", Kind::Leave},
    {"call", Kind::Call},
    {"case_clause", Kind::Case},
    {"class_definition", Kind::Class},
    {"comparison_operator", Kind::Comparison},
    {"concatenated_string", Kind::Concatenated},
    {"conditional_expression", Kind::Conditional},
    {"continue_statement", Kind::Leave},
    {"default_parameter", Kind::DefaultParameter},
    {"dictionary", Kind::Dictionary},
    {"dictionary_comprehension", Kind::Comprehension},
    {"dictionary_splat_pattern", Kind::SplatParameter},
    {"dotted_name", Kind::DottedName},
    {"elif_clause", Kind::Elif},
    {"else_clause", Kind::Else},
    {"except_clause", Kind::Except},
    {"except_group_clause", Kind::Except},
    {"expression_list", Kind::Sequence},
    {"expression_statement", Kind::Statement},
    {"false", Kind::False},
    {"finally_clause", Kind::Finally},
    {"for_in_clause", Kind::ForIn},
    {"for_statement", Kind::For},
    {"function_definition", Kind::Function},
    {"generator_expression", Kind::Comprehension},
    {"global_statement", Kind::Global},
    {"identifier", Kind::Identifier},
    {"if_clause", Kind::IfClause},
    {"if_statement", Kind::If},
    {"import_from_statement", Kind::ImportFrom},
    {"import_statement", Kind::Import},
    {"integer", Kind::Integer},
    {"interpolation", Kind::Interpolation},
    {"keyword_argument", Kind::Keyword},
    {"lambda", Kind::Lambda},
    {"list", Kind::Sequence},
    {"list_comprehension", Kind::Comprehension},
    {"list_pattern", Kind::Sequence},
    {"list_splat", Kind::Splat},
    {"list_splat_pattern", Kind::SplatParameter},
    {"module", Kind::Module},
    {"named_expression", Kind::Named},
    {"none", Kind::None},
    {"not_operator", Kind::Not},
    {"pair", Kind::Pair},
    {"parenthesized_expression", Kind::Parenthesized},
    {"pattern_list", Kind::Sequence},
    {"raise_statement", Kind::Leave},
    {"relative_import", Kind::RelativeImport},
    {"return_statement", Kind::Return},
    {"set", Kind::Sequence},
    {"set_comprehension", Kind::Comprehension},
    {"string", Kind::String},
    {"string_content", Kind::Content},
    {"string_start", Kind::StringStart},
    {"subscript", Kind::Subscript},
    {"true", Kind::True},
    {"try_statement", Kind::Try},
    {"tuple", Kind::Sequence},
    {"tuple_pattern", Kind::Sequence},
    {"typed_default_parameter", Kind::DefaultParameter},
    {"typed_parameter", Kind::TypedParameter},
    {"unary_operator", Kind::Unary},
    {"while_statement", Kind::While},
    {"wildcard_import", Kind::Wildcard},
    {"with_item", Kind::WithItem},
    {"with_statement", Kind::With},
    {"yield", Kind::Yield},
});

constexpr auto fields = std::to_array<std::pair<std::string_view, Field>>({
    {"alias", Field::Alias},
    {"alternative", Field::Alternative},
    {"argument", Field::Argument},
    {"arguments", Field::Arguments},
    {"attribute", Field::Attribute},
    {"body", Field::Body},
    {"condition", Field::Condition},
    {"consequence", Field::Consequence},
    {"definition", Field::Definition},
    {"expression", Field::Expression},
    {"function", Field::Function},
    {"key", Field::Key},
    {"left", Field::Left},
    {"module_name", Field::ModuleName},
    {"name", Field::Name},
    {"object", Field::Object},
    {"operator", Field::Operator},
    {"operators", Field::Operators},
    {"parameters", Field::Parameters},
    {"right", Field::Right},
    {"subscript", Field::Subscript},
    {"superclasses", Field::Superclasses},
    {"value", Field::Value},
});

template <class Table>
auto look_up(const Table& table, const char* name) {
  for (const auto& [text, value] : table)
    if (name && text == name) return value;
  return decltype(table[0].second){};
}

// The grammar's numbers for types and fields, as ours.
struct Numbers {
  std::vector<Kind> kind_of;
  std::vector<Field> field_of;
  TSSymbol comment = 0;

  explicit Numbers(const TSLanguage* language) {
    for (std::uint32_t i = 0; i < ts_language_symbol_count(language); ++i) {
      const char* const name = ts_language_symbol_name(language, static_cast<TSSymbol>(i));
      const bool regular = ts_language_symbol_type(language, static_cast<TSSymbol>(i)) == TSSymbolTypeRegular;
      kind_of.push_back(regular ? look_up(kinds, name) : Kind::Operator);
      if (regular && std::string_view(name) == "comment") comment = static_cast<TSSymbol>(i);
    }
    field_of.resize(ts_language_field_count(language) + 1);
    for (std::uint32_t i = 1; i < field_of.size(); ++i)
      field_of[i] = look_up(fields, ts_language_field_name_for_id(language, static_cast<TSFieldId>(i)));
  }
};

// Ends a parse beyond any measure of honest code: from many places to the same far end is quadratic (`\\` before every
// line end), and so is recovery from some errors (`exec exec exec`). It listens to the parser's log, which tells every
// character and step and costs twice what parsing does; so only from the moment when the parser has allocated or read
// more than any file of CPython's own library makes it (73 bytes for each byte of source, each kilobyte 8 times).
// Counts, not a clock: the answer stays the same.
class Meter {
 public:
  Meter(std::string_view source, TSParser* parser)
      : source_(source),
        parser_(parser),
        left_(100'000 + 100 * source.size()),
        bytes_left_(16'384 + 120 * source.size()),
        reads_left_(64 + source.size() / 64) {
    current_ = this;
    ts_parser_set_cancellation_flag(parser, &cancelled_);
  }
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  ~Meter() { current_ = nullptr; }

  // A parser whose allocations are counted. The library's allocator is set before any thread asks it for anything.
  static TSParser* make_parser() {
    static const bool counted = (ts_set_allocator(&allocate, &allocate_zeroed, &reallocate, &std::free), true);
    return counted ? ts_parser_new() : nullptr;
  }

  // The source in pieces, so that a lexer on its way finds the end when the count is used up.
  TSInput input() { return {.payload = this, .read = &read, .encoding = TSInputEncodingUTF8}; }

 private:
  static constexpr std::size_t piece = 1024;  // bytes

  static void* allocate(std::size_t size) {
    if (current_) current_->spend(current_->bytes_left_, size);
    return std::malloc(size);
  }
  static void* allocate_zeroed(std::size_t count, std::size_t size) {
    if (current_) current_->spend(current_->bytes_left_, count * size);
    return std::calloc(count, size);
  }
  static void* reallocate(void* old, std::size_t size) {
    if (current_) current_->spend(current_->bytes_left_, size);
    return std::realloc(old, size);
  }
  void spend(std::size_t& from, std::size_t cost) {
    if (listens_) return;
    from -= std::min(cost, from);
    if (from > 0) return;
    listens_ = true;
    ts_parser_set_logger(parser_, {.payload = this, .log = &count});
  }
  static void count(void* self, TSLogType, const char* message) {
    Meter& meter = *static_cast<Meter*>(self);
    // Each recovery copies what the one before it could not read.
    const bool recovers = std::string_view(message).starts_with("recover_to_previous");
    const std::size_t cost = recovers ? 1 + ++meter.recoveries_ : 1;
    meter.left_ -= std::min(cost, meter.left_);
    if (meter.left_ == 0) meter.cancelled_ = 1;
  }
  static const char* read(void* self, std::uint32_t at, TSPoint, std::uint32_t* size) {
    Meter& meter = *static_cast<Meter*>(self);
    meter.spend(meter.reads_left_, 1);
    const std::string_view rest = meter.source_.substr(std::min<std::size_t>(at, meter.source_.size()));
    *size = meter.cancelled_ ? 0 : static_cast<std::uint32_t>(std::min(piece, rest.size()));
    return rest.data();
  }

  static inline thread_local Meter* current_ = nullptr;

  std::string_view source_;
  TSParser* parser_;
  std::size_t left_, bytes_left_, reads_left_, recoveries_ = 0, cancelled_ = 0;
  bool listens_ = false;
};

struct Deleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

// Walks a tree from parent to child and on to siblings without recursion: its depth is a stranger's choice.
class Copier {
 public:
  Copier(const Numbers& numbers, std::vector<Node>& nodes) : numbers_(numbers), nodes_(nodes) {}

  void copy(TSNode root) {
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    bool more = true;
    while (more) {
      const bool kept = add(cursor);
      if (kept && ts_tree_cursor_goto_first_child(&cursor)) {
        open_.push_back({static_cast<NodeId>(nodes_.size() - 1), no_node});
        continue;
      }
      while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)) && ts_tree_cursor_goto_parent(&cursor))
        open_.pop_back();
    }
    ts_tree_cursor_delete(&cursor);
  }

 private:
  struct Open {
    NodeId node, last;
  };

  bool add(TSTreeCursor& cursor) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const TSSymbol symbol = ts_node_symbol(node);
    const TSFieldId field = ts_tree_cursor_current_field_id(&cursor);
    const Kind kind = symbol < numbers_.kind_of.size() ? numbers_.kind_of[symbol] : Kind::Error;
    const Field ours = field < numbers_.field_of.size() ? numbers_.field_of[field] : Field::None;
    const bool operator_token = kind == Kind::Operator;
    if (operator_token && ours != Field::Operator && ours != Field::Operators) return false;
    if (symbol == numbers_.comment && symbol != 0) return false;
    const NodeId id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({.begin = ts_node_start_byte(node),
                      .end = ts_node_end_byte(node),
                      .line = ts_node_start_point(node).row + 1,
                      .kind = kind,
                      .field = ours});
    if (!open_.empty()) {
      Open& parent = open_.back();
      (parent.last == no_node ? nodes_[parent.node].first : nodes_[parent.last].next) = id;
      parent.last = id;
    }
    return !operator_token;
  }

  const Numbers& numbers_;
  std::vector<Node>& nodes_;
  std::vector<Open> open_;
};

}  // namespace

Syntax::Syntax(std::string_view source) : source_(source) {
  const TSLanguage* const language = tree_sitter_python();
  const std::unique_ptr<TSParser, Deleter> parser(Meter::make_parser());
  std::unique_ptr<TSTree, Deleter> tree;
  Meter meter(source, parser.get());
  if (ts_parser_set_language(parser.get(), language)) tree.reset(ts_parser_parse(parser.get(), nullptr, meter.input()));
  if (!tree) {
    nodes_.push_back({.kind = Kind::Module});
    broken_ = true;
    return;
  }
  const TSNode root = ts_tree_root_node(tree.get());
  broken_ = ts_node_has_error(root);
  static const Numbers numbers(language);
  Copier(numbers, nodes_).copy(root);
  nodes_[0].kind = Kind::Module;
}

std::string_view Syntax::text(NodeId id) const {
  return id == no_node ? std::string_view() : source_.substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
}

NodeId Syntax::child(NodeId parent, Field field) const {
  if (parent == no_node) return no_node;
  NodeId id = nodes_[parent].first;
  while (id != no_node && nodes_[id].field != field) id = nodes_[id].next;
  return id;
}

NodeId Syntax::child(NodeId parent, std::size_t at) const {
  if (parent == no_node) return no_node;
  NodeId id = nodes_[parent].first;
  for (; id != no_node && at > 0; --at) id = nodes_[id].next;
  return id;
}

}  // namespace wheelcheck::python
