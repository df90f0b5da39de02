; Symbols of OCaml, of modules and of interfaces.
(compilation_unit (value_definition (let_binding pattern: (value_name) @name (parameter)) @def.function))
(compilation_unit (value_definition (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)]) @def.function))
(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @def.constant))
(structure (value_definition (let_binding pattern: (value_name) @name (parameter)) @def.function))
(structure (value_definition (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)]) @def.function))
(structure (value_definition (let_binding pattern: (value_name) @name) @def.constant))
(value_specification (value_name) @name) @def.function
(external (value_name) @name) @def.function
(type_definition (type_binding name: (_) @name) @def.type)
(exception_definition (constructor_declaration (constructor_name) @name)) @def.type
(module_definition (module_binding (module_name) @name)) @def.module
(module_type_definition (module_type_name) @name) @def.interface
(class_definition (class_binding (class_name) @name)) @def.class
(method_definition (method_name) @name) @def.method
(comment) @comment
