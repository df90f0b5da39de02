; Symbols of GDScript.
(class_name_statement (name) @name) @def.class
(class_definition name: (name) @name) @def.class
(function_definition name: (name) @name) @def.function
(constructor_definition "_init" @name) @def.constructor
(signal_statement (name) @name) @def.field
(enum_definition name: (name) @name) @def.enum
(const_statement name: (name) @name) @def.constant
(source (variable_statement name: (name) @name) @def.variable)
(comment) @comment
