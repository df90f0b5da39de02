; What JavaScript and TypeScript have in common.
(function_declaration name: (identifier) @name) @def.function
(generator_function_declaration name: (identifier) @name) @def.function
(lexical_declaration (variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @def.function)
(variable_declaration (variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @def.function)
(variable_declarator name: (identifier) @name value: (class)) @def.class
(assignment_expression left: (member_expression object: (_) @receiver property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @def.function
(arguments (function_expression name: (identifier) @name) @def.function)
(object (pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @def.function)
(object (method_definition name: (property_identifier) @name) @def.function)
(export_statement "default" @name value: [(arrow_function) (function_expression)]) @def.function
(export_statement "default" @name value: (class)) @def.class
(program (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @def.constant))
(export_statement (export_clause (export_specifier name: (identifier) @export)))
(export_statement value: (identifier) @export)
(program (expression_statement (assignment_expression left: (member_expression)
  right: (object (shorthand_property_identifier) @export))))
(comment) @comment
(decorator) @attr

; edges
(import_statement) @import
(export_statement source: (string)) @import
(variable_declarator value: (call_expression function: (identifier) @_require) (#eq? @_require "require")) @import
(variable_declarator value: (member_expression object: (call_expression function: (identifier) @_require))
  (#eq? @_require "require")) @import
(variable_declarator value: (await_expression (call_expression function: (import)))) @import
(call_expression function: (identifier) @_require (#eq? @_require "require")) @import
(call_expression function: (import)) @import
(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @qualifier property: (_) @call))
(new_expression constructor: (identifier) @new)
(new_expression constructor: (member_expression object: (_) @qualifier property: (_) @new))
(decorator (identifier) @decorator)
(decorator (member_expression object: (_) @qualifier property: (_) @decorator))
(decorator (call_expression function: (identifier) @decorator))
(decorator (call_expression function: (member_expression object: (_) @qualifier property: (_) @decorator)))
(member_expression object: (_) @qualifier property: (_) @value)
(identifier) @value
(shorthand_property_identifier) @value
(export_specifier (identifier) @skip)
(arrow_function parameter: (identifier) @bind)
(rest_pattern (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
(array_pattern (identifier) @bind)
(object_pattern (shorthand_property_identifier_pattern) @bind)
(object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind))
(object_pattern (pair_pattern value: (identifier) @bind))
(for_in_statement left: (identifier) @bind)
(variable_declarator name: (identifier) @bind)
(variable_declarator name: (identifier) @bind value: (new_expression constructor: (_) @bind.new))
(assignment_expression left: (member_expression object: (this) property: (_) @field)
  right: (new_expression constructor: (_) @bind.new))
(assignment_expression left: (member_expression object: (this) property: (_) @field))
