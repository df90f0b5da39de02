; Symbols of PHP.
(class_declaration name: (name) @name) @def.class
(interface_declaration name: (name) @name) @def.interface
(trait_declaration name: (name) @name) @def.trait
(enum_declaration name: (name) @name) @def.enum
(function_definition name: (name) @name) @def.function
(method_declaration name: (name) @name) @def.method
(const_declaration (const_element . (name) @name)) @def.constant
(function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @def.constant
(comment) @comment
(attribute_list) @attr

; edges
(namespace_definition name: (_)) @import
(namespace_use_declaration) @import
(require_expression) @import
(require_once_expression) @import
(include_expression) @import
(include_once_expression) @import

(function_call_expression function: [(name) (qualified_name)] @call)
(member_call_expression object: (_) @qualifier name: (name) @call)
(nullsafe_member_call_expression object: (_) @qualifier name: (name) @call)
(scoped_call_expression scope: (_) @qualifier name: (name) @call)
(object_creation_expression [(name) (qualified_name) (relative_scope)] @new)
(attribute . [(name) (qualified_name)] @decorator)
(named_type) @type
(class_constant_access_expression . (_) @qualifier (name) @value .)
(scoped_property_access_expression scope: [(name) (qualified_name)] @value)
(type_list (named_type) @type)
(argument [(name) (qualified_name)] @value .)
(binary_expression left: (name) @value)
(binary_expression right: (name) @value)
(return_statement (name) @value)
(array_element_initializer (name) @value)
(assignment_expression right: (name) @value)
(const_element (name) @value .)

(base_clause (_) @inherit.extends)
(class_interface_clause (_) @inherit.implements)
(declaration_list (use_declaration [(name) (qualified_name)] @inherit.mixin))

(simple_parameter type: (_) @bind.type name: (variable_name) @bind)
(simple_parameter name: (variable_name) @bind)
(variadic_parameter name: (variable_name) @bind)
(property_promotion_parameter type: (_) @bind.type name: (variable_name (name) @field))
(property_promotion_parameter name: (variable_name) @bind)
(assignment_expression left: (variable_name) @bind right: (object_creation_expression [(name) (qualified_name)] @bind.type))
(assignment_expression left: (variable_name) @bind right: (scoped_call_expression) @bind.new)
(assignment_expression left: (variable_name) @bind)
(foreach_statement (variable_name) @bind)
(catch_clause type: (_) @bind.type name: (variable_name) @bind)
(property_declaration type: (_) @bind.type (property_element name: (variable_name (name) @field)))
(assignment_expression left: (member_access_expression name: (name) @field)
  right: (object_creation_expression [(name) (qualified_name)] @bind.type))
