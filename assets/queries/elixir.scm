; Symbols of Elixir.
(call target: (identifier) @_key (arguments . (alias) @name) (#eq? @_key "defmodule")) @def.module
(call target: (identifier) @_key (arguments . (alias) @name) (#eq? @_key "defprotocol")) @def.interface
(call target: (identifier) @_key (arguments . (alias) @inherit.implements (keywords (pair value: (alias) @name)))
  (#eq? @_key "defimpl")) @scope
(call target: (identifier) @_key (arguments . (call target: (identifier) @name))
  (#any-of? @_key "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @def.function
(call target: (identifier) @_key (arguments . (binary_operator left: (call target: (identifier) @name)))
  (#any-of? @_key "def" "defp" "defguard" "defguardp" "defn" "defnp")) @def.function
(call target: (identifier) @_key (arguments . (identifier) @name)
  (#any-of? @_key "def" "defp" "defdelegate")) @def.function
(call target: (identifier) @_key (arguments . (binary_operator left: (identifier) @name))
  (#any-of? @_key "def" "defp")) @def.function
(call target: (identifier) @_key (arguments . (call target: (identifier) @name))
  (#any-of? @_key "defmacro" "defmacrop")) @def.macro
(call target: (identifier) @_key (arguments . (binary_operator left: (call target: (identifier) @name)))
  (#any-of? @_key "defmacro" "defmacrop")) @def.macro
(call target: (identifier) @_key (arguments . (string (quoted_content) @name)) (do_block) (#eq? @_key "test")) @def.test
(unary_operator operand: (call target: (identifier) @_key (arguments . (binary_operator left: (identifier) @name)))
  (#any-of? @_key "type" "typep" "opaque")) @def.type
(unary_operator operand: (call target: (identifier) @_key (arguments . (binary_operator left: (call target: (identifier) @name))))
  (#any-of? @_key "type" "typep" "opaque")) @def.type
(unary_operator operand: (call target: (identifier) @_key (arguments . (binary_operator left: (call target: (identifier) @name))))
  (#any-of? @_key "callback" "macrocallback")) @def.method
(unary_operator operand: (call target: (identifier) @name (arguments . (_)))
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "impl" "behaviour" "callback"
    "macrocallback" "derive" "deprecated" "since" "tag" "moduletag" "describetag" "enforce_keys" "dialyzer"
    "compile" "external_resource" "optional_callbacks" "before_compile" "after_compile" "on_load" "on_definition")) @def.constant
(comment) @comment
(unary_operator operand: (call target: (identifier) @_key)
  (#any-of? @_key "doc" "spec" "impl" "typedoc" "deprecated" "since" "tag" "dialyzer")) @attr

; edges
(call target: (identifier) @_key (arguments . (_)) (#any-of? @_key "alias" "import" "require" "use")) @import

(call target: (identifier) @call)
(call target: (dot left: (_) @qualifier right: (identifier) @call) (arguments))
(call target: (dot left: (alias) @qualifier right: (identifier) @call))
(unary_operator operand: (binary_operator left: (identifier) @value right: (integer)))
(unary_operator operand: (binary_operator left: (call target: (dot left: (alias) @qualifier right: (identifier) @value)) right: (integer)))
(struct [(alias) (identifier)] @new)
(alias) @type
(unary_operator operand: (call target: (identifier) @_key (arguments (binary_operator left: (call target: (identifier) @skip))))
  (#any-of? @_key "spec" "callback" "type"))

(call target: (identifier) @_key (arguments . (alias) @inherit.mixin) (#eq? @_key "use"))
(unary_operator operand: (call target: (identifier) @_key (arguments . (alias) @inherit.implements)) (#eq? @_key "behaviour"))

(binary_operator left: (identifier) @bind right: (map (struct (alias) @bind.type)))
(call target: (identifier) @_key (arguments . (call (arguments (identifier) @bind))) (#any-of? @_key "def" "defp" "defmacro"))
