; Symbols of Bash and its kin.
(function_definition name: (word) @name) @def.function
(program (variable_assignment name: (variable_name) @name) @def.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @def.constant)
(comment) @comment

; edges
(command name: (command_name (word) @_source) argument: (_) (#any-of? @_source "source" ".")) @import

(command name: (command_name (word) @call))
(command name: (command_name (word) @_trap) argument: (word) @value (#eq? @_trap "trap"))
