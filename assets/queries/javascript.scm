; inherits: ecma, jsx
; Symbols of JavaScript.
(class_declaration name: (identifier) @name) @def.class
(class_body member: (method_definition name: (property_identifier) @name) @def.method)
(class_body member: (method_definition name: (private_property_identifier) @name) @def.method)
(class_body member: (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @def.method)

; edges
(formal_parameters (identifier) @bind)
(formal_parameters (assignment_pattern left: (identifier) @bind))
(field_definition property: (_) @field value: (new_expression constructor: (_) @bind.new))
(class_heritage (_) @inherit.extends)
