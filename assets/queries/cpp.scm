; inherits: c-family
; Symbols of C++.
(namespace_definition name: (_) @name body: (_)) @def.module
(class_specifier name: (_) @name body: (_)) @def.class
(struct_specifier name: (_) @name body: (_)) @def.struct
(union_specifier name: (_) @name body: (_)) @def.struct
(enum_specifier name: (_) @name body: (_)) @def.enum
(concept_definition name: (_) @name) @def.trait
(function_definition declarator: (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name)) @def.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))) @def.function
(function_definition declarator: (reference_declarator (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))) @def.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier)] @name)))) @def.function
(function_definition declarator: (operator_cast type: (_)) @name) @def.function
(function_definition declarator: (qualified_identifier name: (operator_cast)) @name) @def.function
(declaration declarator: (function_declarator
  declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)) @def.prototype
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))) @def.prototype
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)) @def.prototype
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @def.prototype
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @def.prototype
(alias_declaration name: (type_identifier) @name) @def.type
(declaration declarator: (init_declarator declarator: (qualified_identifier) @name)) @def.variable
(attribute_declaration) @attr

; edges
(using_declaration) @import
(namespace_alias_definition) @import
(call_expression function: [(identifier) (qualified_identifier) (template_function)] @call)
(call_expression function: (field_expression argument: (_) @qualifier field: [(field_identifier) (template_method) (dependent_name)] @call))
(new_expression type: (_) @new)
(compound_literal_expression type: [(type_identifier) (qualified_identifier) (template_type)] @new)
(field_initializer . (field_identifier) @skip)
(qualified_identifier scope: (_) @qualifier name: (type_identifier) @type)
(qualified_identifier scope: (_) @qualifier name: (template_type name: (type_identifier) @type))
(qualified_identifier scope: (_) @qualifier name: (identifier) @value)
(destructor_name (identifier) @skip)
(type_parameter_declaration (type_identifier) @generic)
(optional_type_parameter_declaration name: (type_identifier) @generic)
(variadic_type_parameter_declaration (type_identifier) @generic)
(namespace_definition name: (_) @skip)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit.extends)
(parameter_declaration type: (_) @bind.type declarator: (reference_declarator (identifier) @bind))
(optional_parameter_declaration type: (_) @bind.type declarator: (identifier) @bind)
(optional_parameter_declaration type: (_) @bind.type declarator: (_ (identifier) @bind))
(variadic_parameter_declaration declarator: (_ (identifier) @bind))
(declaration type: (_) @bind.type declarator: (function_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (init_declarator declarator: (reference_declarator (identifier) @bind)))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator
  declarator: (identifier) @bind value: (new_expression type: (_) @bind.type)))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator
  declarator: (pointer_declarator declarator: (identifier) @bind) value: (new_expression type: (_) @bind.type)))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator
  declarator: (identifier) @bind value: (call_expression function: (_) @bind.new)))
(structured_binding_declarator (identifier) @bind)
(for_range_loop type: (_) @bind.type declarator: (identifier) @bind)
(for_range_loop type: (_) @bind.type declarator: (_ (identifier) @bind))
(lambda_capture_initializer left: (identifier) @bind)
(field_declaration type: (_) @bind.type declarator: (reference_declarator (field_identifier) @field))
