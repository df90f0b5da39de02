; Symbols of Elm. A type annotation and the equation under it are one function.
(file (type_annotation name: (lower_case_identifier) @name) @def.function)
(file (value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)) @def.function)
(file (port_annotation name: (lower_case_identifier) @name) @def.function)
(file (type_declaration name: (upper_case_identifier) @name) @def.enum)
(file (type_alias_declaration name: (upper_case_identifier) @name) @def.type)
(module_declaration exposing: (exposing_list (exposed_value) @export))
(module_declaration exposing: (exposing_list (exposed_type (upper_case_identifier) @export)))
(line_comment) @comment
(block_comment) @comment
