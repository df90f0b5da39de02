; Symbols of Ruby.
(class name: (_) @name) @def.class
(module name: (_) @name) @def.module
(method name: (_) @name) @def.function
(singleton_method name: (_) @name) @def.method
(alias name: (_) @name) @def.method
(assignment left: (constant) @name) @def.constant
(comment) @comment

; edges
(call !receiver method: (identifier) @_verb arguments: (argument_list . [(string) (simple_symbol)])
  (#any-of? @_verb "require" "require_relative" "load" "autoload")) @import

(call !receiver method: (_) @call)
(call receiver: (_) @qualifier method: (_) @call)
(call receiver: (_) @qualifier method: (identifier) @new (#eq? @new "new"))
(constant) @value
(scope_resolution scope: (_) @qualifier name: (constant) @value)
(identifier) @call
(class name: (scope_resolution (constant) @skip))

(superclass (_) @inherit.extends)
(call !receiver method: (identifier) @_verb arguments: (argument_list [(constant) (scope_resolution)] @inherit.mixin)
  (#any-of? @_verb "include" "extend" "prepend"))

(method_parameters (identifier) @bind)
(method_parameters (_ name: (identifier) @bind))
(lambda_parameters (identifier) @bind)
(lambda_parameters (_ name: (identifier) @bind))
(block_parameters (identifier) @bind)
(block_parameters (_ name: (identifier) @bind))
(block_parameters (destructured_parameter (identifier) @bind))
(assignment left: (identifier) @bind right: (call receiver: (_) @bind.type method: (identifier) @_new) (#eq? @_new "new"))
(assignment left: (identifier) @bind)
(operator_assignment left: (identifier) @bind)
(left_assignment_list (identifier) @bind)
(exception_variable (identifier) @bind)
(for pattern: (identifier) @bind)
(assignment left: (instance_variable) @field right: (call receiver: (_) @bind.type method: (identifier) @_new) (#eq? @_new "new"))
