; Symbols of Zig.
(variable_declaration (identifier) @name (struct_declaration)) @def.struct
(variable_declaration (identifier) @name (union_declaration)) @def.struct
(variable_declaration (identifier) @name (opaque_declaration)) @def.struct
(variable_declaration (identifier) @name (enum_declaration)) @def.enum
(variable_declaration (identifier) @name (error_set_declaration)) @def.enum
(function_declaration name: (_) @name) @def.function
(test_declaration [(string) (identifier)] @name) @def.test
(variable_declaration "var" (identifier) @name) @def.variable
(variable_declaration (identifier) @name) @def.constant
(comment) @comment

; edges
(variable_declaration (identifier) (builtin_function (builtin_identifier) @_import) (#eq? @_import "@import")) @import
(variable_declaration (identifier) (field_expression object: (builtin_function (builtin_identifier) @_import))
  (#eq? @_import "@import")) @import
(builtin_function (builtin_identifier) @_import (#eq? @_import "@import")) @import

(call_expression function: (identifier) @call)
(call_expression function: (field_expression object: (_) @qualifier member: (identifier) @call))
(struct_initializer . [(identifier) (field_expression)] @new)
(field_expression object: (_) @qualifier member: (identifier) @value)
(field_expression !object member: (identifier) @skip)
(initializer_list (assignment_expression left: (_) @skip))
(error_type (identifier) @skip)
(error_set_declaration (identifier) @skip)
(container_field name: (identifier) @skip)
(parameter type: (identifier) @type)
(parameter type: (_ (identifier) @type))
(function_declaration type: (identifier) @type)
(function_declaration type: (error_union_type ok: (identifier) @type))
(container_field type: (identifier) @type)
(container_field type: (_ (identifier) @type))
(identifier) @value

(parameter name: (identifier) @bind type: (_) @bind.type)
(block (variable_declaration (identifier) @bind type: (_) @bind.type))
(block (variable_declaration (identifier) @bind (call_expression function: (_) @bind.new)))
(block (variable_declaration (identifier) @bind (try_expression (call_expression function: (_) @bind.new))))
(block (variable_declaration (identifier) @bind (catch_expression . (call_expression function: (_) @bind.new))))
(block (variable_declaration (identifier) @bind (struct_initializer . (_) @bind.type)))
(block (variable_declaration (identifier) @bind))
(payload (identifier) @bind)
(container_field name: (identifier) @field type: (_) @bind.type)
