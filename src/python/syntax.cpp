// Runs tree-sitter with limits on memory and work, and copies the tree.
#include "python/syntax.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "base/memory.h"
#include "base/text.h"
#include "python/prefilter/lines.h"

extern "C" const TSLanguage* tree_sitter_python();

namespace wheelcheck::python {
namespace {

constexpr auto kinds = std::to_array<std::pair<std::string_view, NodeKind>>({
    {"ERROR", NodeKind::Error},
    {"aliased_import", NodeKind::Alias},
    {"as_pattern", NodeKind::AsPattern},
    {"as_pattern_target", NodeKind::AsTarget},
    {"assignment", NodeKind::Assignment},
    {"attribute", NodeKind::Attribute},
    {"augmented_assignment", NodeKind::Augmented},
    {"binary_operator", NodeKind::Binary},
    {"block", NodeKind::Block},
    {"boolean_operator", NodeKind::Boolean},
    {"break_statement", NodeKind::Leave},
    {"call", NodeKind::Call},
    {"case_clause", NodeKind::Case},
    {"class_definition", NodeKind::Class},
    {"comparison_operator", NodeKind::Comparison},
    {"concatenated_string", NodeKind::Concatenated},
    {"conditional_expression", NodeKind::Conditional},
    {"continue_statement", NodeKind::Leave},
    {"default_parameter", NodeKind::DefaultParameter},
    {"dictionary", NodeKind::Dictionary},
    {"dictionary_splat", NodeKind::DictionarySplat},
    {"dictionary_comprehension", NodeKind::Comprehension},
    {"dictionary_splat_pattern", NodeKind::SplatParameter},
    {"dotted_name", NodeKind::DottedName},
    {"elif_clause", NodeKind::Elif},
    {"else_clause", NodeKind::Else},
    {"except_clause", NodeKind::Except},
    {"except_group_clause", NodeKind::Except},
    {"expression_list", NodeKind::Sequence},
    {"expression_statement", NodeKind::Statement},
    {"false", NodeKind::False},
    {"finally_clause", NodeKind::Finally},
    {"for_in_clause", NodeKind::ForIn},
    {"for_statement", NodeKind::For},
    {"function_definition", NodeKind::Function},
    {"generator_expression", NodeKind::Comprehension},
    {"global_statement", NodeKind::Global},
    {"identifier", NodeKind::Identifier},
    {"if_clause", NodeKind::IfClause},
    {"if_statement", NodeKind::If},
    {"import_from_statement", NodeKind::ImportFrom},
    {"import_statement", NodeKind::Import},
    {"integer", NodeKind::Integer},
    {"interpolation", NodeKind::Interpolation},
    {"keyword_argument", NodeKind::Keyword},
    {"lambda", NodeKind::Lambda},
    {"list", NodeKind::Sequence},
    {"list_comprehension", NodeKind::Comprehension},
    {"list_pattern", NodeKind::Sequence},
    {"list_splat", NodeKind::Splat},
    {"list_splat_pattern", NodeKind::SplatParameter},
    {"module", NodeKind::Module},
    {"named_expression", NodeKind::Named},
    {"none", NodeKind::None},
    {"not_operator", NodeKind::Not},
    {"pair", NodeKind::Pair},
    {"parenthesized_expression", NodeKind::Parenthesized},
    {"pattern_list", NodeKind::Sequence},
    {"raise_statement", NodeKind::Leave},
    {"relative_import", NodeKind::RelativeImport},
    {"return_statement", NodeKind::Return},
    {"set", NodeKind::Sequence},
    {"set_comprehension", NodeKind::Comprehension},
    {"string", NodeKind::String},
    {"string_content", NodeKind::Content},
    {"string_start", NodeKind::StringStart},
    {"subscript", NodeKind::Subscript},
    {"true", NodeKind::True},
    {"try_statement", NodeKind::Try},
    {"tuple", NodeKind::Sequence},
    {"tuple_pattern", NodeKind::Sequence},
    {"typed_default_parameter", NodeKind::DefaultParameter},
    {"typed_parameter", NodeKind::TypedParameter},
    {"unary_operator", NodeKind::Unary},
    {"while_statement", NodeKind::While},
    {"wildcard_import", NodeKind::Wildcard},
    {"with_item", NodeKind::WithItem},
    {"with_statement", NodeKind::With},
    {"yield", NodeKind::Yield},
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

// Maps the grammar's numbers of types and fields to Kind and Field.
struct Numbers {
  std::vector<NodeKind> kind_of;
  std::vector<Field> field_of;
  TSSymbol comment = 0;

  explicit Numbers(const TSLanguage* language) {
    for (std::uint32_t i = 0; i < ts_language_symbol_count(language); ++i) {
      const char* const name = ts_language_symbol_name(language, static_cast<TSSymbol>(i));
      const bool regular = ts_language_symbol_type(language, static_cast<TSSymbol>(i)) == TSSymbolTypeRegular;
      kind_of.push_back(regular ? look_up(kinds, name) : NodeKind::Operator);
      if (regular && std::string_view(name) == "comment") comment = static_cast<TSSymbol>(i);
    }
    field_of.resize(ts_language_field_count(language) + 1);
    for (std::uint32_t i = 1; i < field_of.size(); ++i)
      field_of[i] = look_up(fields, ts_language_field_name_for_id(language, static_cast<TSFieldId>(i)));
  }
};

// The memory of one parser and its tree, with a limit. tree-sitter does not handle a failed allocation, so an
// allocation beyond the limit leaves the parser by longjmp, and the arena frees everything. No frame in between has a
// destructor. Blocks are cut from chunks, and a released block is used again for the same size: parsing allocates so
// often that malloc would need a tenth of the time.
class Arena {
 public:
  // most: at one time. total: over the whole life, which is a measure of the time that the parser needs.
  Arena(std::size_t max, std::size_t total) : left_(max), total_left_(total) { current_ = this; }
  ~Arena() {
    current_ = nullptr;
    while (chunks_ != nullptr) std::free(std::exchange(chunks_, chunks_->next));
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Installs the allocator for the whole library, before the first use of it.
  static void set_allocator() {
    static const bool done = (ts_set_allocator(&allocate, &allocate_zeroed, &reallocate, &release), true);
    (void)done;
  }
  std::jmp_buf& exit() { return exit_; }
  void watch(void (*spend)(void*, std::size_t), void* whom) { spend_ = spend, whom_ = whom; }

 private:
  // Precedes the bytes of a block. `next`: of the released blocks of that size, or of the chunks.
  struct alignas(std::max_align_t) Block {
    std::size_t size;  // with this header
    Block* next;

    // AddressSanitizer sees a use of anything but these bytes.
    void* bytes(std::size_t used) {
      mark_unused(this, size);
      mark_used(this + 1, used);
      return this + 1;
    }
  };
  static Block* block_of(void* bytes) {
    Block* const block = static_cast<Block*>(bytes) - 1;
    mark_used(block, sizeof(Block));
    return block;
  }

  static void* allocate(std::size_t size) { return current_->take(size); }
  static void* allocate_zeroed(std::size_t count, std::size_t size) {
    std::size_t all = 0;
    if (__builtin_mul_overflow(count, size, &all)) all = SIZE_MAX;
    return std::memset(current_->take(all), 0, all);
  }
  static void* reallocate(void* old, std::size_t size) {
    if (old == nullptr) return allocate(size);
    Block* const block = block_of(old);
    const std::size_t capacity = block->size - sizeof(Block);
    mark_used(old, capacity);
    if (size <= capacity) return block->bytes(size);
    void* const bytes = std::memcpy(allocate(size), old, capacity);
    release(old);
    return bytes;
  }
  static void release(void* bytes) {
    if (bytes == nullptr) return;
    Block* const block = block_of(bytes);
    mark_unused(bytes, block->size - sizeof(Block));
    block->next = std::exchange(current_->released_[list_of(block->size)], block);
  }

  // Sizes of blocks are multiples of 16 up to 1 KiB and powers of two above.
  static std::size_t rounded(std::size_t size) { return size <= 1024 ? (size + 15) & ~15U : std::bit_ceil(size); }
  static std::size_t list_of(std::size_t rounded) {
    return rounded <= 1024 ? rounded / 16 : 54 + static_cast<std::size_t>(std::bit_width(rounded));
  }

  void* take(std::size_t size) {
    if (size > max_block) std::longjmp(exit_, 1);  // NOLINT
    const std::size_t all = rounded(size + sizeof(Block));
    if (spend_ != nullptr) spend_(whom_, all);
    if (all > total_left_) std::longjmp(exit_, 1);  // NOLINT
    total_left_ -= all;
    Block*& released = released_[list_of(all)];
    Block* const block = released != nullptr ? std::exchange(released, released->next) : fresh(all);
    return block->bytes(size);
  }
  Block* fresh(std::size_t size) {
    if (size > left_) std::longjmp(exit_, 1);  // NOLINT
    left_ -= size;
    if (size > rest_.size()) {
      const std::size_t all = std::max(size + sizeof(Block), chunk_size);
      chunks_ = new (allocated(std::malloc(all))) Block{all, chunks_};
      rest_ = {reinterpret_cast<std::byte*>(chunks_ + 1), all - sizeof(Block)};
    }
    auto* const block = new (rest_.data()) Block{size, nullptr};
    rest_ = rest_.subspan(size);
    return block;
  }

  static inline thread_local Arena* current_ = nullptr;
  static constexpr std::size_t max_block = std::size_t{1} << 32;
  static constexpr std::size_t chunk_size = std::size_t{64} << 10;

  Block* chunks_ = nullptr;
  std::span<std::byte> rest_;  // of the last chunk
  std::array<Block*, 90> released_{};
  std::size_t left_, total_left_;
  void (*spend_)(void*, std::size_t) = nullptr;
  void* whom_ = nullptr;
  std::jmp_buf exit_{};
};

// Stops a parse that costs much more than that of code without errors: a look-ahead to the same distant end from many
// places (`\\` before every line end) makes the lexer quadratic, and each recovery from an error tries every symbol of
// the grammar. The cost is counted with the parser's log, which reports every character and step. Logging costs twice
// as much as parsing, so it starts only when the parser has allocated or read more, for the text up to there, than for
// any of 11,000 real files (290 bytes per token, each kilobyte 10 times). The limit is a count and not a time, so that
// the result is the same on every machine.
class Meter {
 public:
  Meter(std::string_view source, std::size_t tokens, TSParser* parser)
      : source_(source),
        parser_(parser),
        left_(20'000 + 3 * source.size() + 16 * tokens),
        reads_left_(64 + source.size() / 64) {
    ts_parser_set_cancellation_flag(parser, &cancelled_);
  }

  // Provides the source in pieces, so that a lexer that runs ahead stops when the limit is reached.
  TSInput input() { return {.payload = this, .read = &read, .encoding = TSInputEncodingUTF8}; }
  static void allocated(void* self, std::size_t size) {
    Meter& meter = *static_cast<Meter*>(self);
    meter.spend(meter.bytes_left_, size);
  }

 private:
  static constexpr std::size_t piece = 1024;  // bytes

  void spend(std::size_t& from, std::size_t cost) {
    if (from == 0) return;
    from -= std::min(cost, from);
    if (from == 0) ts_parser_set_logger(parser_, {.payload = this, .log = &count});
  }
  // A step takes some 0.1 us, a recovery 20 us. Code without errors has one `detect_error`, a second parse that was
  // given up, for 500 tokens.
  static std::size_t cost_of(std::string_view message) {
    return message.starts_with("resume ")        ? 1500
           : message.starts_with("detect_error") ? 20
           : message.starts_with("skip_token ")  ? 100
                                                 : 1;
  }
  static void count(void* self, TSLogType, const char* message) {
    Meter& meter = *static_cast<Meter*>(self);
    meter.left_ -= std::min(cost_of(message), meter.left_);
    if (meter.left_ == 0) meter.cancelled_ = 1;
  }
  static const char* read(void* self, std::uint32_t at, TSPoint, std::uint32_t* size) {
    Meter& meter = *static_cast<Meter*>(self);
    meter.spend(meter.reads_left_, 1);
    const std::string_view rest = meter.source_.substr(std::min<std::size_t>(at, meter.source_.size()));
    // The lexer asks again for a character that the end of a piece cuts, and cannot do without it.
    const bool is_cut = at < meter.piece_end_ && meter.piece_end_ - at < 4;
    *size = meter.cancelled_ && !is_cut ? 0 : static_cast<std::uint32_t>(std::min(piece, rest.size()));
    meter.piece_end_ = at + *size;
    if (at + *size > meter.read_ && meter.bytes_left_ > 0) {
      meter.bytes_left_ += 300 * token_count(meter.source_.substr(meter.read_, at + *size - meter.read_));
      meter.read_ = at + *size;
    }
    return rest.data();
  }

  std::string_view source_;
  TSParser* parser_;
  std::size_t left_, bytes_left_ = 65'536, reads_left_, read_ = 0, piece_end_ = 0, cancelled_ = 0;
};

// Copies a tree without recursion, because the depth of the tree is not limited.
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
    const NodeKind kind = symbol < numbers_.kind_of.size() ? numbers_.kind_of[symbol] : NodeKind::Error;
    const Field ours = field < numbers_.field_of.size() ? numbers_.field_of[field] : Field::None;
    const bool operator_token = kind == NodeKind::Operator;
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

namespace {

// Returns null if the parse was stopped; the arena owns its memory. It is a function of its own because longjmp may
// return to it.
[[gnu::noinline]] const TSTree* parse(Arena& arena, std::string_view source, std::size_t tokens) {
  if (setjmp(arena.exit()) != 0) {  // NOLINT
    arena.watch(nullptr, nullptr);
    return nullptr;
  }
  TSParser* const parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_python())) return nullptr;
  Meter meter(source, tokens, parser);
  arena.watch(&Meter::allocated, &meter);
  const TSTree* const tree = ts_parser_parse(parser, nullptr, meter.input());
  arena.watch(nullptr, nullptr);
  return tree;
}

// Returns false if the memory limit was reached.
[[gnu::noinline]] bool copy(Arena& arena, const TSTree* tree, Copier& copier) {
  if (setjmp(arena.exit()) != 0) return false;  // NOLINT
  copier.copy(ts_tree_root_node(tree));
  return true;
}

}  // namespace

Syntax::Syntax(std::string_view source) : source_(source) {
  Arena::set_allocator();
  const std::size_t tokens = token_count(source);
  // At one time, real code requires up to 73 bytes per byte, dense code (`a,b=b,a`) up to 430. In total, dense code
  // requires up to 560 bytes per token, real code about 100; the recovery from errors may be quadratic (`lambda:not
  // ,`).
  Arena arena((std::size_t{4} << 20) + std::min(480 * source.size(), std::size_t{40} << 20),
              (std::size_t{1} << 20) + 800 * tokens);
  const TSTree* const tree = parse(arena, source, tokens);
  static const Numbers numbers(tree_sitter_python());
  Copier copier(numbers, nodes_);
  if (tree == nullptr || !copy(arena, tree, copier)) {
    nodes_.assign(1, {.kind = NodeKind::Module});
    broken_ = cut_ = true;
    return;
  }
  broken_ = ts_node_has_error(ts_tree_root_node(tree));
  nodes_[0].kind = NodeKind::Module;
}

std::string_view Syntax::text(NodeId id) const {
  return id == no_node ? std::string_view() : source_.substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
}

std::string Syntax::dotted_name(NodeId id) const {
  std::string name(text(id));
  std::erase_if(name, [](char c) { return is_blank(c) || c == '\\'; });
  return name;
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
