; Symbols of PowerShell.
(function_statement (function_name) @name) @def.function
(class_statement . (simple_name) @name) @def.class
(enum_statement . (simple_name) @name) @def.enum
(class_method_definition (simple_name) @name) @def.method
(class_property_definition (variable) @name) @def.property
(program (statement_list (pipeline (assignment_expression (left_assignment_expression) @name) @def.variable)))
(comment) @comment
