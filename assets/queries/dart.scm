; Symbols of Dart. A signature and its body are siblings.
(class_definition name: (identifier) @name) @def.class
(mixin_declaration . (mixin) (identifier) @name) @def.trait
(enum_declaration name: (identifier) @name) @def.enum
(extension_declaration class: (_) @name) @scope
(type_alias . (type_identifier) @name) @def.type
(program (function_signature name: (identifier) @name) @def.function . (function_body) @until)
(program (function_signature name: (identifier) @name) @def.function)
(program (getter_signature name: (identifier) @name) @def.function . (function_body) @until)
(_ (method_signature (function_signature name: (identifier) @name)) @def.method . (function_body) @until)
(_ (method_signature (getter_signature name: (identifier) @name)) @def.property . (function_body) @until)
(_ (method_signature (setter_signature name: (identifier) @name)) @def.property . (function_body) @until)
(_ (method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @def.constructor . (function_body) @until)
(_ (method_signature (constructor_signature name: (identifier) @name . (formal_parameter_list))) @def.constructor . (function_body) @until)
(_ (method_signature (operator_signature (binary_operator) @name)) @def.method . (function_body) @until)
(declaration (function_signature name: (identifier) @name)) @def.method
(declaration (constructor_signature name: (identifier) @name . parameters: (_))) @def.constructor
(declaration (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @def.constructor
(declaration (getter_signature name: (identifier) @name)) @def.property
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @def.constant
(local_function_declaration (lambda_expression parameters: (function_signature name: (identifier) @name))) @def.function
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @def.constant))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @def.variable))
(comment) @comment
(documentation_comment) @comment
(annotation) @attr

; edges
(import_or_export) @import
(part_directive) @import
(part_of_directive) @import
(library_name) @import

(_ (identifier) @call . (selector (argument_part)))
(_ (selector (unconditional_assignable_selector (identifier) @call)) . (selector (argument_part)))
(_ (selector (conditional_assignable_selector (identifier) @call)) . (selector (argument_part)))
(_ (unconditional_assignable_selector (identifier) @call) . (selector (argument_part)))
(cascade_section (cascade_selector (identifier) @call) . (argument_part))
(initialized_variable_definition value: (identifier) @call . value: (selector (argument_part)))
(new_expression . (type_identifier) @new)
(const_object_expression . (_) (type_identifier) @new)
(annotation name: (_) @decorator)
(type_identifier) @type
(selector (unconditional_assignable_selector (identifier) @value))
(identifier) @value
(label (identifier) @skip)
(typed_identifier (identifier) @skip)
(extension_declaration name: (identifier) @skip)
(constructor_param (identifier) @skip)
(enum_constant name: (identifier) @skip)
(constructor_signature name: (identifier) @skip)
(factory_constructor_signature (identifier) @skip)
(type_parameter . (type_identifier) @generic)

(superclass . (type_identifier) @inherit.extends)
(mixins (type_identifier) @inherit.mixin)
(interfaces (type_identifier) @inherit.implements)
(mixin_declaration (identifier) (type_identifier) @inherit.extends)

(formal_parameter . (type_identifier) @bind.type name: (identifier) @bind)
(formal_parameter name: (identifier) @bind)
(formal_parameter . (identifier) @bind .)
(initialized_variable_definition (type_identifier) @bind.type name: (identifier) @bind)
(initialized_variable_definition name: (identifier) @bind . value: (identifier) @bind.new . value: (selector (argument_part)))
(initialized_variable_definition name: (identifier) @bind)
(for_loop_parts name: (identifier) @bind)
(catch_parameters (identifier) @bind)
(declaration (type_identifier) @bind.type (initialized_identifier_list (initialized_identifier . (identifier) @field)))
