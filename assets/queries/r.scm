; Symbols of R.
(binary_operator lhs: [(identifier) (string)] @name rhs: (function_definition)) @def.function
(binary_operator lhs: (identifier) @name rhs: (call function: (identifier) @_class)
  (#any-of? @_class "R6Class" "setRefClass" "ggproto" "new_class")) @def.class
(binary_operator lhs: (identifier) @name rhs: (call function: (namespace_operator rhs: (identifier) @_class))
  (#any-of? @_class "R6Class" "new_class" "ggproto")) @def.class
(call function: (identifier) @_set arguments: (arguments . (argument value: (string (string_content) @name)))
  (#eq? @_set "setClass")) @def.class
(call function: (identifier) @_set arguments: (arguments . (argument value: (string (string_content) @name)))
  (#any-of? @_set "setGeneric" "setMethod" "setValidity")) @def.function
(argument name: (identifier) @name value: (function_definition)) @def.function
(program (binary_operator lhs: (identifier) @name) @def.constant)
(comment) @comment
