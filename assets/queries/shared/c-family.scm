; What C and C++ have in common.
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @def.prototype
; TEST_IMPL(name) { … }: a macro that makes a function.
(function_definition declarator: (parenthesized_declarator (identifier) @name)) @def.function
(type_definition type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))] declarator: (type_identifier) @name) @def.struct
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @def.enum
(type_definition type: [(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_)) (enum_specifier name: (_) body: (_))]
  declarator: (type_identifier) @name @def.type)
(type_definition declarator: (type_identifier) @name) @def.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @def.type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @def.type
(preproc_function_def name: (identifier) @name) @def.macro
(preproc_def name: (identifier) @name value: (_)) @def.macro
(declaration declarator: (init_declarator declarator: (identifier) @name)) @def.variable
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @def.variable
(declaration declarator: (init_declarator
  declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))) @def.variable
(declaration declarator: (identifier) @name) @def.variable
(declaration declarator: (array_declarator declarator: (identifier) @name)) @def.variable
(declaration declarator: (pointer_declarator declarator: (identifier) @name)) @def.variable
(comment) @comment

; edges
(preproc_include) @import
(type_identifier) @type
(identifier) @value
(enumerator name: (identifier) @skip)
(preproc_params (identifier) @skip)
(preproc_ifdef name: (identifier) @skip)
(preproc_defined (identifier) @skip)
(preproc_def name: (identifier) @skip)
(parameter_declaration type: (_) @bind.type declarator: (identifier) @bind)
(parameter_declaration type: (_) @bind.type declarator: (pointer_declarator declarator: (identifier) @bind))
(parameter_declaration declarator: (array_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (identifier) @bind)
(declaration type: (_) @bind.type declarator: (pointer_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (init_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind)))
(field_declaration type: (_) @bind.type declarator: (field_identifier) @field)
(field_declaration type: (_) @bind.type declarator: (pointer_declarator declarator: (field_identifier) @field))
