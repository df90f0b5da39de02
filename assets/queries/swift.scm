; Symbols of Swift.
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @def.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @def.enum
(class_declaration declaration_kind: "class" name: (type_identifier) @name) @def.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name) @def.class
(class_declaration declaration_kind: "extension" name: (_) @name) @scope
(protocol_declaration name: (type_identifier) @name) @def.interface
(typealias_declaration name: (type_identifier) @name) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type
(function_declaration name: (simple_identifier) @name) @def.function
(function_declaration name: ["==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%"] @name) @def.method
(protocol_function_declaration name: (simple_identifier) @name) @def.method
(function_declaration name: "init" @name) @def.constructor
(deinit_declaration "deinit" @name) @def.method
(subscript_declaration "subscript" @name) @def.method
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.constant)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property
(protocol_property_declaration name: (pattern (simple_identifier) @name)) @def.property
(comment) @comment
(multiline_comment) @comment
(attribute) @attr

; edges
(import_declaration) @import

(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression target: (_) @qualifier suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(call_expression . (prefix_expression target: (simple_identifier) @call))
(attribute (user_type) @decorator)
(user_type) @type
(navigation_expression target: (_) @qualifier suffix: (navigation_suffix suffix: (simple_identifier) @value))
(navigation_suffix suffix: (simple_identifier) @value)
(prefix_expression target: (simple_identifier) @skip)
(value_argument_label (simple_identifier) @skip)
(parameter external_name: (simple_identifier) @skip)
(enum_entry name: (simple_identifier) @skip)
(simple_identifier) @value
(type_parameter (type_identifier) @generic)

(inheritance_specifier inherits_from: (_) @inherit.extends)

(parameter name: (simple_identifier) @bind name: (_) @bind.type)
(parameter name: (simple_identifier) @bind)
(lambda_parameter name: (simple_identifier) @bind)
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @bind) (type_annotation name: (_) @bind.type)))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @bind) value: (call_expression . (_) @bind.new)))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @bind)))
(guard_statement bound_identifier: (simple_identifier) @bind)
(if_statement bound_identifier: (simple_identifier) @bind)
(for_statement item: (pattern bound_identifier: (simple_identifier) @bind))
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @bind) (type_annotation name: (_) @bind.type)))
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field) (type_annotation name: (_) @bind.type)))
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field) value: (call_expression . (_) @bind.new)))
