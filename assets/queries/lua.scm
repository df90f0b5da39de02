; Symbols of Lua.
(function_declaration name: (_) @name) @def.function
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition)))) @def.function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition))) @def.function
(field name: (identifier) @name value: (function_definition)) @def.function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @def.constant)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @def.variable)
(comment) @comment

; edges
(variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list . value:
  (function_call name: (identifier) @_require))) (#eq? @_require "require")) @import
(variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list . value:
  (dot_index_expression table: (function_call name: (identifier) @_require)))) (#eq? @_require "require")) @import
(function_call name: (identifier) @_require (#any-of? @_require "require" "dofile" "loadfile")) @import

(function_call name: (identifier) @call)
(function_call name: (dot_index_expression table: (_) @qualifier field: (identifier) @call))
(function_call name: (method_index_expression table: (_) @qualifier method: (identifier) @call))
(dot_index_expression table: (_) @qualifier field: (identifier) @value)
(field name: (identifier) @skip)
(variable_list name: (dot_index_expression field: (identifier) @skip))
(attribute (identifier) @skip)
(identifier) @value

(parameters name: (identifier) @bind)
(block (variable_declaration (assignment_statement (variable_list name: (identifier) @bind))))
(block (variable_declaration (variable_list name: (identifier) @bind)))
(for_generic_clause (variable_list name: (identifier) @bind))
(for_numeric_clause name: (identifier) @bind)
