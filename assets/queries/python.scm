; Symbols of Python.
(function_definition name: (identifier) @name) @def.function
(class_definition name: (identifier) @name) @def.class
(type_alias_statement left: (type (identifier) @name)) @def.type
(module (expression_statement (assignment left: (identifier) @name) @def.constant))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @def.constant))
(module (if_statement (_ (expression_statement (assignment left: (identifier) @name) @def.constant))))
(module (try_statement (_ (expression_statement (assignment left: (identifier) @name) @def.constant))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name right: (_)) @def.constant)))
(comment) @comment
(decorator) @attr

; edges
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import

(call function: (identifier) @call)
(call function: (attribute object: (_) @qualifier attribute: (identifier) @call))
(decorator (identifier) @decorator)
(decorator (attribute object: (_) @qualifier attribute: (identifier) @decorator))
(decorator (call function: (identifier) @decorator))
(decorator (call function: (attribute object: (_) @qualifier attribute: (identifier) @decorator)))
(type (identifier) @type)
(type (attribute object: (_) @qualifier attribute: (identifier) @type))
(type (binary_operator (identifier) @type))
(type (binary_operator (attribute object: (_) @qualifier attribute: (identifier) @type)))
(type (subscript (identifier) @type))
(generic_type (identifier) @type)
(attribute object: (_) @qualifier attribute: (identifier) @value)
(attribute attribute: (identifier) @value)
(keyword_argument name: (identifier) @skip)
(identifier) @value

(class_definition superclasses: (argument_list [(identifier) (attribute)] @inherit.extends))
(class_definition superclasses: (argument_list (subscript value: (_) @inherit.extends)))

(parameters (identifier) @bind)
(lambda_parameters (identifier) @bind)
(typed_parameter . (identifier) @bind type: (_) @bind.type)
(typed_default_parameter name: (identifier) @bind type: (_) @bind.type)
(default_parameter name: (identifier) @bind)
(list_splat_pattern (identifier) @bind)
(dictionary_splat_pattern (identifier) @bind)
(assignment left: (identifier) @bind type: (_) @bind.type)
(assignment left: (identifier) @bind right: (call function: [(identifier) (attribute)] @bind.new))
(assignment left: (identifier) @bind)
(assignment left: (pattern_list (identifier) @bind))
(for_statement left: (identifier) @bind)
(for_statement left: (pattern_list (identifier) @bind))
(for_in_clause left: (identifier) @bind)
(for_in_clause left: (pattern_list (identifier) @bind))
(as_pattern (call function: [(identifier) (attribute)] @bind.new) alias: (as_pattern_target (identifier) @bind))
(as_pattern alias: (as_pattern_target (identifier) @bind))
(named_expression name: (identifier) @bind)
(assignment left: (attribute object: (identifier) attribute: (identifier) @field)
  right: (call function: [(identifier) (attribute)] @bind.new))
(assignment left: (attribute attribute: (identifier) @field) type: (_) @bind.type)
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @field) (#any-of? @_self "self" "cls"))
