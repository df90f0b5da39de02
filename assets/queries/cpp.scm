; Symbols of C++.
(namespace_definition name: (_) @name body: (_)) @def.module
(class_specifier name: (_) @name body: (_)) @def.class
; TEST_IMPL(name) { … }: a macro that makes a function.
(function_definition declarator: (parenthesized_declarator (identifier) @name)) @def.function
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
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @def.prototype
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))) @def.prototype
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)) @def.prototype
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @def.prototype
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @def.prototype
(type_definition type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))] declarator: (type_identifier) @name) @def.struct
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @def.enum
(type_definition type: [(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_)) (enum_specifier name: (_) body: (_))]
  declarator: (type_identifier) @name @def.type)
(type_definition declarator: (type_identifier) @name) @def.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @def.type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @def.type
(alias_declaration name: (type_identifier) @name) @def.type
(preproc_function_def name: (identifier) @name) @def.macro
(preproc_def name: (identifier) @name value: (_)) @def.macro
(declaration declarator: (init_declarator declarator: (identifier) @name)) @def.variable
(declaration declarator: (init_declarator declarator: (qualified_identifier) @name)) @def.variable
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @def.variable
(declaration declarator: (init_declarator
  declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))) @def.variable
(declaration declarator: (identifier) @name) @def.variable
(declaration declarator: (array_declarator declarator: (identifier) @name)) @def.variable
(declaration declarator: (pointer_declarator declarator: (identifier) @name)) @def.variable
(comment) @comment
(attribute_declaration) @attr

; edges
(preproc_include) @import
(using_declaration) @import
(namespace_alias_definition) @import

(call_expression function: [(identifier) (qualified_identifier) (template_function)] @call)
(call_expression function: (field_expression argument: (_) @qualifier field: [(field_identifier) (template_method) (dependent_name)] @call))
(new_expression type: (_) @new)
(compound_literal_expression type: [(type_identifier) (qualified_identifier) (template_type)] @new)
(field_initializer . (field_identifier) @skip)
(type_identifier) @type
(qualified_identifier scope: (_) @qualifier name: (type_identifier) @type)
(qualified_identifier scope: (_) @qualifier name: (template_type name: (type_identifier) @type))
(qualified_identifier scope: (_) @qualifier name: (identifier) @value)
(identifier) @value
(enumerator name: (identifier) @skip)
(destructor_name (identifier) @skip)
(preproc_params (identifier) @skip)
(preproc_ifdef name: (identifier) @skip)
(preproc_defined (identifier) @skip)
(preproc_def name: (identifier) @skip)
(type_parameter_declaration (type_identifier) @generic)
(optional_type_parameter_declaration name: (type_identifier) @generic)
(variadic_type_parameter_declaration (type_identifier) @generic)
(namespace_definition name: (_) @skip)

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit.extends)

(parameter_declaration type: (_) @bind.type declarator: (identifier) @bind)
(parameter_declaration type: (_) @bind.type declarator: (pointer_declarator declarator: (identifier) @bind))
(parameter_declaration type: (_) @bind.type declarator: (reference_declarator (identifier) @bind))
(parameter_declaration declarator: (array_declarator declarator: (identifier) @bind))
(optional_parameter_declaration type: (_) @bind.type declarator: (identifier) @bind)
(optional_parameter_declaration type: (_) @bind.type declarator: (_ (identifier) @bind))
(variadic_parameter_declaration declarator: (_ (identifier) @bind))
(declaration type: (_) @bind.type declarator: (identifier) @bind)
(declaration type: (_) @bind.type declarator: (function_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (pointer_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (init_declarator declarator: (identifier) @bind))
(declaration type: (_) @bind.type declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind)))
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
(field_declaration type: (_) @bind.type declarator: (field_identifier) @field)
(field_declaration type: (_) @bind.type declarator: (pointer_declarator declarator: (field_identifier) @field))
(field_declaration type: (_) @bind.type declarator: (reference_declarator (field_identifier) @field))
