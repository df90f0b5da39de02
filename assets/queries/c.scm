; inherits: c-family
; Symbols of C.
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @def.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @def.function
(function_definition declarator: (pointer_declarator
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @def.function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @def.prototype
(struct_specifier name: (type_identifier) @name body: (_)) @def.struct
(union_specifier name: (type_identifier) @name body: (_)) @def.struct
(enum_specifier name: (type_identifier) @name body: (_)) @def.enum

; edges
(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @qualifier field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (pointer_expression argument: (identifier) @call)))
(parameter_declaration type: (_) @bind.type
  declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @bind)))
(parameter_declaration declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @bind))))
(declaration type: (_) @bind.type declarator: (array_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @bind)))
