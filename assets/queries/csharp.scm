; Symbols of C#.
(namespace_declaration name: (_) @name) @def.module
(class_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(struct_declaration name: (identifier) @name) @def.struct
(record_declaration name: (identifier) @name) @def.class
(enum_declaration name: (identifier) @name) @def.enum
(delegate_declaration name: (identifier) @name) @def.type
(method_declaration name: (identifier) @name) @def.method
(local_function_statement name: (identifier) @name) @def.function
(constructor_declaration name: (identifier) @name) @def.constructor
(destructor_declaration name: (identifier) @name) @def.method
(operator_declaration operator: ["+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "!" "~" "++" "--" "&" "|" "^" "<<" ">>"] @name) @def.method
(indexer_declaration "this" @name) @def.property
(property_declaration name: (identifier) @name) @def.property
(event_declaration name: (identifier) @name) @def.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @def.property
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name))) @def.constant
(field_declaration (modifier "static") (variable_declaration (variable_declarator name: (identifier) @name))) @def.constant
(comment) @comment
(attribute_list) @attr

; edges
(using_directive) @import
(file_scoped_namespace_declaration) @import

(invocation_expression function: [(identifier) (generic_name)] @call)
(invocation_expression function: (member_access_expression expression: (_) @qualifier name: (_) @call))
(invocation_expression function: (member_access_expression name: (_) @call))
(invocation_expression function: (conditional_access_expression condition: (_) @qualifier (member_binding_expression name: (_) @call)))
(object_creation_expression type: (_) @new)
(attribute name: (_) @decorator)
(variable_declaration type: [(identifier) (qualified_name) (generic_name)] @type)
(variable_declaration type: (nullable_type (identifier) @type))
(parameter type: [(identifier) (qualified_name) (generic_name)] @type)
(parameter type: (nullable_type (identifier) @type))
(parameter type: (array_type type: (identifier) @type))
(method_declaration returns: [(identifier) (qualified_name) (generic_name)] @type)
(property_declaration type: [(identifier) (qualified_name) (generic_name)] @type)
(type_argument_list [(identifier) (generic_name) (qualified_name)] @type)
(typeof_expression type: (_) @type)
(cast_expression type: [(identifier) (generic_name) (qualified_name)] @type)
(is_expression right: [(identifier) (generic_name) (qualified_name)] @type)
(is_pattern_expression pattern: (constant_pattern (identifier) @type))
(as_expression right: (identifier) @type)
(type_parameter_constraint type: [(identifier) (generic_name) (qualified_name)] @type)
(catch_declaration type: (identifier) @type)
(array_type type: (identifier) @type)
(member_access_expression expression: (_) @qualifier name: (identifier) @value)
(member_access_expression name: (identifier) @value)
(identifier) @value
(type_parameter name: (identifier) @generic)
(type_parameter_constraints_clause . (identifier) @skip)
(enum_member_declaration name: (identifier) @skip)
(argument name: (identifier) @skip)
(labeled_statement (identifier) @skip)
(attribute_argument name: (identifier) @skip)

(class_declaration (base_list (_) @inherit.extends))
(struct_declaration (base_list (_) @inherit.implements))
(record_declaration (base_list (_) @inherit.extends))
(interface_declaration (base_list (_) @inherit.extends))

(method_declaration parameters: (parameter_list (parameter type: (_) @bind.type name: (identifier) @bind)))
(constructor_declaration parameters: (parameter_list (parameter type: (_) @bind.type name: (identifier) @bind)))
(parameter type: (_) @bind.type name: (identifier) @bind)
(parameter name: (identifier) @bind)
(implicit_parameter) @bind
(local_declaration_statement (variable_declaration type: (_) @bind.type (variable_declarator name: (identifier) @bind)))
(local_declaration_statement (variable_declaration type: (implicit_type)
  (variable_declarator name: (identifier) @bind (object_creation_expression type: (_) @bind.type))))
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @bind)))
(using_statement (variable_declaration type: (_) @bind.type (variable_declarator name: (identifier) @bind)))
(for_statement (variable_declaration (variable_declarator name: (identifier) @bind)))
(foreach_statement type: (_) @bind.type left: (identifier) @bind)
(catch_declaration type: (_) @bind.type name: (identifier) @bind)
(declaration_pattern type: (_) @bind.type name: (identifier) @bind)
(declaration_expression type: (_) @bind.type name: (identifier) @bind)
(field_declaration (variable_declaration type: (_) @bind.type (variable_declarator name: (identifier) @field)))
(property_declaration type: (_) @bind.type name: (identifier) @field)
