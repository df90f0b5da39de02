; Symbols of Gleam.
(function name: (identifier) @name) @def.function
(constant name: (identifier) @name) @def.constant
(type_definition (type_name name: (type_identifier) @name)) @def.type
(type_alias (type_name name: (type_identifier) @name)) @def.type
(data_constructor name: (_) @name) @def.constructor
(comment) @comment
(statement_comment) @comment
(module_comment) @comment
(attribute) @attr
