// The syntax tree of one Python file, copied from tree-sitter into flat arrays. All later steps walk these arrays in
// linear time and do not depend on the parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::python {

// The node types of tree-sitter-python that are used; `Other` for the rest.
enum class NodeKind : std::uint8_t {
  Other,
  Error,
  Assignment,
  AsPattern,
  AsTarget,
  Attribute,
  Augmented,
  Binary,
  Block,
  Boolean,
  Call,
  Case,
  Class,
  Comparison,
  Comprehension,
  Concatenated,
  Conditional,
  Content,
  DefaultParameter,
  Dictionary,
  DictionarySplat,
  DottedName,
  Elif,
  Else,
  Except,
  False,
  Finally,
  For,
  ForIn,
  Function,
  Global,
  Identifier,
  If,
  IfClause,
  Import,
  ImportFrom,
  Integer,
  Interpolation,
  Keyword,
  Lambda,
  Leave,  // raise, break, continue
  Alias,
  Module,
  Named,
  None,
  Not,
  Operator,
  Pair,
  Parenthesized,
  RelativeImport,
  Return,
  Sequence,
  Splat,
  SplatParameter,
  Statement,
  String,
  StringStart,
  Subscript,
  True,
  Try,
  TypedParameter,
  Unary,
  While,
  Wildcard,
  With,
  WithItem,
  Yield,
};

// The fields of the grammar that are used.
enum class Field : std::uint8_t {
  None,
  Alias,
  Alternative,
  Argument,
  Arguments,
  Attribute,
  Body,
  Condition,
  Consequence,
  Definition,
  Expression,
  Function,
  Key,
  Left,
  ModuleName,
  Name,
  Object,
  Operator,
  Operators,
  Parameters,
  Right,
  Subscript,
  Superclasses,
  Value,
};

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = UINT32_MAX;

struct Node {
  std::uint32_t begin = 0, end = 0;  // byte offsets in the source
  std::uint32_t line = 0;            // from 1
  NodeId first = no_node, next = no_node;
  NodeKind kind = NodeKind::Other;
  Field field = Field::None;
};

// Named nodes and operators, without comments. Node 0 is the module.
class Syntax {
 public:
  explicit Syntax(std::string_view source);

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  NodeKind kind(NodeId id) const { return id == no_node ? NodeKind::Other : nodes_[id].kind; }
  std::string_view text(NodeId id) const;
  std::string dotted_name(NodeId id) const;  // without the blanks that may surround the dots: `from . name import x`
  NodeId child(NodeId parent, Field field) const;     // the first child in that field; no_node if there is none
  NodeId child(NodeId parent, std::size_t at) const;  // the child at that position; no_node if there are fewer
  std::size_t size() const { return nodes_.size(); }
  std::size_t source_size() const { return source_.size(); }
  bool broken() const { return broken_; }
  bool cut() const { return cut_; }  // parsing exceeds the limit of memory or work; only the module node exists

 private:
  std::string_view source_;
  std::vector<Node> nodes_;
  bool broken_ = false, cut_ = false;
};

}  // namespace wheelcheck::python
