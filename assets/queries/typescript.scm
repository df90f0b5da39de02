; Symbols of TypeScript and TSX.
(class_declaration name: (type_identifier) @name) @def.class
(abstract_class_declaration name: (type_identifier) @name) @def.class
(interface_declaration name: (type_identifier) @name) @def.interface
(type_alias_declaration name: (type_identifier) @name) @def.type
(enum_declaration name: (identifier) @name) @def.enum
(internal_module name: (_) @name) @def.module
(module name: (_) @name) @def.module
(function_signature name: (identifier) @name) @def.function
(abstract_method_signature name: (_) @name) @def.method
(interface_body (method_signature name: (_) @name) @def.method)
(class_body (method_signature name: (_) @name) @def.method)
(class_body (method_definition name: (_) @name) @def.method)
(class_body (public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @def.method)

; edges
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @bind.type))
(required_parameter (accessibility_modifier) pattern: (identifier) @field type: (type_annotation (_) @bind.type))
(required_parameter pattern: (identifier) @bind)
(optional_parameter pattern: (identifier) @bind type: (type_annotation (_) @bind.type))
(optional_parameter pattern: (identifier) @bind)
(variable_declarator name: (identifier) @bind type: (type_annotation (_) @bind.type))
(public_field_definition name: (_) @field type: (type_annotation (_) @bind.type))
(public_field_definition name: (_) @field value: (new_expression constructor: (_) @bind.new))
(call_expression function: (await_expression (identifier) @call))
(call_expression function: (await_expression (member_expression object: (_) @qualifier property: (_) @call)))
(type_identifier) @type
(nested_type_identifier module: (_) @qualifier name: (type_identifier) @type)
(type_parameter name: (type_identifier) @generic)
(class_heritage (extends_clause value: (_) @inherit.extends))
(class_heritage (implements_clause (_) @inherit.implements))
(interface_declaration (extends_type_clause type: (_) @inherit.extends))

; The last one wins: `const a: Base = new Derived()` is a Derived.
; inherits: ecma
