; Symbols of Perl. A package without a block reaches to the next one.
(package_statement (package_name) @name body: (_)) @def.module
(package_statement (package_name) @name !body) @def.module @rest
(function_definition name: (identifier) @name) @def.function
(use_constant_statement constant: (identifier) @name) @def.constant
(source_file (binary_expression variable: (variable_declaration (scope) variable_name: (_) @name)) @def.variable)
(comments) @comment
