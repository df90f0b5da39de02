; Symbols of Java.
(class_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(record_declaration name: (identifier) @name) @def.class
(annotation_type_declaration name: (identifier) @name) @def.interface
(method_declaration name: (identifier) @name) @def.method
(annotation_type_element_declaration name: (identifier) @name) @def.method
(constructor_declaration name: (identifier) @name) @def.constructor
(compact_constructor_declaration name: (identifier) @name) @def.constructor
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @def.constant
(field_declaration (modifiers "final" "static") declarator: (variable_declarator name: (identifier) @name)) @def.constant
(interface_body (constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.constant)
(line_comment) @comment
(block_comment) @comment
(marker_annotation) @attr
(annotation) @attr

; edges
(package_declaration) @import
(import_declaration) @import

(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @qualifier name: (identifier) @call)
(object_creation_expression type: (_) @new)
(method_reference . (_) @qualifier (identifier) @value .)
(explicit_constructor_invocation constructor: (super) @call)
(marker_annotation name: (_) @decorator)
(annotation name: (_) @decorator)
(type_identifier) @type
(scoped_type_identifier (_) @qualifier (type_identifier) @type .)
(field_access object: (_) @qualifier field: (identifier) @value)
(identifier) @value
(element_value_pair key: (identifier) @skip)
(enum_constant name: (identifier) @skip)
(labeled_statement (identifier) @skip)
(type_parameter . (type_identifier) @generic)

(superclass (_) @inherit.extends)
(super_interfaces (type_list (_) @inherit.implements))
(extends_interfaces (type_list (_) @inherit.extends))

(method_declaration parameters: (formal_parameters (formal_parameter type: (_) @bind.type name: (identifier) @bind)))
(constructor_declaration parameters: (formal_parameters (formal_parameter type: (_) @bind.type name: (identifier) @bind)))
(lambda_expression parameters: (formal_parameters (formal_parameter type: (_) @bind.type name: (identifier) @bind)))
(spread_parameter (variable_declarator name: (identifier) @bind))
(lambda_expression parameters: (identifier) @bind)
(inferred_parameters (identifier) @bind)
(catch_formal_parameter (catch_type (_) @bind.type) name: (identifier) @bind)
(local_variable_declaration type: (_) @bind.type declarator: (variable_declarator name: (identifier) @bind))
(local_variable_declaration type: (_) declarator: (variable_declarator name: (identifier) @bind
  value: (object_creation_expression type: (_) @bind.type)))
(enhanced_for_statement type: (_) @bind.type name: (identifier) @bind)
(resource type: (_) @bind.type name: (identifier) @bind)
(instanceof_expression right: (_) @bind.type name: (identifier) @bind)
(field_declaration type: (_) @bind.type declarator: (variable_declarator name: (identifier) @field))
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @bind.type name: (identifier) @field)))
