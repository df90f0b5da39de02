; Symbols of Haskell.
(declarations (signature name: [(variable) (prefix_id)] @name) @def.function)
(declarations (function name: (_) @name) @def.function)
(declarations (function (infix operator: (operator) @name)) @def.function)
(declarations (function (infix operator: (infix_id (variable) @name))) @def.function)
(declarations (bind name: (variable) @name) @def.function)
(declarations (data_type name: (_) @name) @def.type)
(declarations (newtype name: (_) @name) @def.type)
(declarations (type_synomym name: (_) @name) @def.type)
(declarations (class name: (_) @name) @def.class)
(declarations (instance patterns: (type_patterns . (_) @name)) @scope)
(data_constructor constructor: (record name: (_) @name)) @def.constructor
(data_constructor constructor: (prefix name: (_) @name)) @def.constructor
(newtype_constructor name: (_) @name) @def.constructor
(class_declarations (signature name: [(variable) (prefix_id)] @name) @def.method)
(class_declarations (function name: (_) @name) @def.method)
(class_declarations (bind name: (variable) @name) @def.method)
(instance_declarations (function name: (_) @name) @def.method)
(instance_declarations (bind name: (variable) @name) @def.method)
(exports (export variable: (_) @export))
(exports (export type: (_) @export))
(comment) @comment
(haddock) @comment
(pragma) @attr

; edges
(header) @import
(import) @import

(apply function: (variable) @call)
(apply function: (qualified module: (_) @qualifier id: (variable) @call))
(apply constructor: (_) argument: (variable) @skip)
(function result: (variable) @skip)
(qualified module: (_) @qualifier id: (variable) @value)
(qualified module: (_) @qualifier id: (name) @type)
(infix_id (variable) @call)
(record (constructor) @new)
(name) @type
(constructor) @new
(variable) @value
(field_name (variable) @skip)
(module) @skip

(class context: (context (apply constructor: (name) @inherit.extends)))
(instance name: (_) @inherit.implements)
(deriving classes: (tuple (name) @inherit.implements))
(deriving classes: (name) @inherit.implements)

(patterns (variable) @bind)
(patterns (_ (variable) @bind))
(patterns (_ (_ (variable) @bind)))
(function (infix left_operand: (variable) @bind))
(function (infix left_operand: (_ (variable) @bind)))
(function (infix right_operand: (variable) @bind))
(function (infix right_operand: (_ (variable) @bind)))
(type_params bind: (variable) @generic)
(function parameter: (variable) @skip)
(signature type: (apply argument: (variable) @skip))
(local_binds decl: (function name: (variable) @bind))
(local_binds decl: (bind name: (variable) @bind))
(local_binds decl: (signature name: (variable) @bind))
(lambda patterns: (_ (variable) @bind))
(bind pattern: (variable) @bind)
(alternative pattern: (_ (variable) @bind))
