; Symbols of Solidity.
(contract_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(library_declaration name: (identifier) @name) @def.module
(struct_declaration name: (identifier) @name) @def.struct
(enum_declaration name: (identifier) @name) @def.enum
(event_definition name: (identifier) @name) @def.type
(error_declaration name: (identifier) @name) @def.type
(function_definition name: (identifier) @name) @def.function
(modifier_definition name: (identifier) @name) @def.method
(constructor_definition "constructor" @name) @def.constructor
(constant_variable_declaration name: (identifier) @name) @def.constant
(state_variable_declaration name: (identifier) @name) @def.field
(comment) @comment
