; Symbols of Kotlin.
(class_declaration "interface" name: (identifier) @name) @def.interface
(class_declaration name: (identifier) @name (enum_class_body)) @def.enum
(class_declaration name: (identifier) @name) @def.class
(object_declaration name: (identifier) @name) @def.class
(companion_object name: (identifier) @name) @def.class
(function_declaration (user_type) @receiver name: (identifier) @name) @def.function
(function_declaration (nullable_type (user_type) @receiver) name: (identifier) @name) @def.function
(function_declaration name: (identifier) @name) @def.function
(secondary_constructor "constructor" @name) @def.constructor
(type_alias type: (identifier) @name) @def.type
(source_file (property_declaration (user_type) @receiver (variable_declaration . (identifier) @name)) @def.property)
(source_file (property_declaration (variable_declaration . (identifier) @name)) @def.constant)
(property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @def.constant
(property_declaration (variable_declaration . (identifier) @name)) @def.property
(line_comment) @comment
(block_comment) @comment
(annotation) @attr

; edges
(package_header) @import
(import) @import

(call_expression . (identifier) @call)
(call_expression . (navigation_expression . (_) @qualifier (identifier) @call .))
(constructor_invocation (user_type) @new)
(annotation [(user_type) (constructor_invocation (user_type))] @decorator)
(annotation (constructor_invocation (user_type) @decorator))
(user_type) @type
(callable_reference (identifier) @value .)
(callable_reference . (_) @qualifier (identifier) @value .)
(navigation_expression . (_) @qualifier (identifier) @value .)
(identifier) @value
(value_argument . (identifier) @skip "=")
(enum_entry (identifier) @skip)
(type_parameter (identifier) @generic)
(infix_expression (_) (identifier) @call (_))

(delegation_specifier (constructor_invocation (user_type) @inherit.extends))
(delegation_specifier (user_type) @inherit.implements)
(delegation_specifier (explicit_delegation (user_type) @inherit.implements))

(parameter . (identifier) @bind (_) @bind.type)
(parameter . (identifier) @bind)
(class_parameter "val" (identifier) @field (_) @bind.type)
(class_parameter "var" (identifier) @field (_) @bind.type)
(class_parameter (identifier) @field (_) @bind.type)
(lambda_parameters (variable_declaration . (identifier) @bind))
(multi_variable_declaration (variable_declaration . (identifier) @bind))
(for_statement (variable_declaration . (identifier) @bind))
(catch_block (identifier) @bind (user_type) @bind.type)
(block (property_declaration (variable_declaration . (identifier) @bind (_) @bind.type)))
(block (property_declaration (variable_declaration . (identifier) @bind) (call_expression . (_) @bind.new)))
(block (property_declaration (variable_declaration . (identifier) @bind)))
(source_file (property_declaration (variable_declaration . (identifier) @bind (_) @bind.type)))
(class_body (property_declaration (variable_declaration . (identifier) @field (_) @bind.type)))
(class_body (property_declaration (variable_declaration . (identifier) @field) (call_expression . (_) @bind.new)))
