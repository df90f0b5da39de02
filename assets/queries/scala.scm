; Symbols of Scala.
(class_definition name: (identifier) @name) @def.class
(object_definition name: (identifier) @name) @def.class
(package_object name: (identifier) @name) @def.module
(trait_definition name: (identifier) @name) @def.trait
(enum_definition name: (identifier) @name) @def.enum
(type_definition name: (type_identifier) @name) @def.type
(function_definition name: (_) @name) @def.function
(function_declaration name: (_) @name) @def.function
(given_definition name: (_) @name) @def.constant
(compilation_unit (val_definition pattern: (identifier) @name) @def.constant)
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @def.constant))
(val_definition pattern: (identifier) @name) @def.property
(var_definition pattern: (identifier) @name) @def.property
(val_declaration name: (identifier) @name) @def.property
(comment) @comment
(block_comment) @comment
(annotation) @attr

; edges
(package_clause) @import
(import_declaration) @import

(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @qualifier field: (_) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (field_expression value: (_) @qualifier field: (_) @call)))
(instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @new)
(infix_expression operator: (identifier) @call)
(annotation name: (_) @decorator)
(type_identifier) @type
(stable_type_identifier (_) @qualifier (type_identifier) @type .)
(field_expression value: (_) @qualifier field: (identifier) @value)
(identifier) @value
(type_parameters name: (identifier) @generic)
(arguments (assignment_expression left: (identifier) @skip))

(extends_clause . type: (_) @inherit.extends)
(extends_clause type: (_) @inherit.mixin)

(parameter name: (identifier) @bind type: (_) @bind.type)
(class_parameter name: (identifier) @field type: (_) @bind.type)
(lambda_expression parameters: (identifier) @bind)
(bindings (binding name: (identifier) @bind type: (_) @bind.type))
(bindings (binding name: (identifier) @bind))
(block (val_definition pattern: (identifier) @bind type: (_) @bind.type))
(block (val_definition pattern: (identifier) @bind value: (instance_expression . (_) @bind.type)))
(block (val_definition pattern: (identifier) @bind value: (call_expression function: (_) @bind.new)))
(block (val_definition pattern: (identifier) @bind))
(block (var_definition pattern: (identifier) @bind))
(block (val_definition pattern: (_ (identifier) @bind)))
(enumerator . (identifier) @bind)
(case_clause pattern: (identifier) @bind)
(case_clause pattern: (_ (identifier) @bind))
(typed_pattern pattern: (identifier) @bind type: (_) @bind.type)
(template_body (val_definition pattern: (identifier) @field type: (_) @bind.type))
(template_body (val_definition pattern: (identifier) @field value: (instance_expression . (_) @bind.type)))
(template_body (val_definition pattern: (identifier) @field value: (call_expression function: (_) @bind.new)))
(template_body (var_definition pattern: (identifier) @field type: (_) @bind.type))
