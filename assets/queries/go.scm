; Symbols of Go.
(function_declaration name: (identifier) @name) @def.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @receiver))
  name: (field_identifier) @name) @def.method
(type_spec name: (type_identifier) @name type: (struct_type)) @def.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @def.interface
(type_spec name: (type_identifier) @name) @def.type
(type_alias name: (type_identifier) @name) @def.type
(method_elem name: (field_identifier) @name) @def.method
(source_file (const_declaration (const_spec name: (identifier) @name) @def.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @def.variable)))
(comment) @comment

; edges
(package_clause) @import
(import_spec) @import

(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @qualifier field: (field_identifier) @call))
(call_expression function: (index_expression operand: (identifier) @call))
(call_expression function: (type_instantiation_expression type: (type_identifier) @call))
(type_conversion_expression type: (generic_type type: (type_identifier) @call))
(type_conversion_expression type: (generic_type type: (qualified_type package: (_) @qualifier name: (_) @call)))
(composite_literal type: (type_identifier) @new)
(composite_literal type: (qualified_type package: (_) @qualifier name: (type_identifier) @new))
(composite_literal type: (generic_type type: (type_identifier) @new))
(type_identifier) @type
(qualified_type package: (_) @qualifier name: (type_identifier) @type)
(selector_expression operand: (_) @qualifier field: (field_identifier) @value)
(identifier) @value
(keyed_element . (literal_element (identifier) @skip))

(struct_type (field_declaration_list (field_declaration !name type: (_) @inherit.extends)))
(interface_type (type_elem (_) @inherit.extends))

(parameter_declaration name: (identifier) @bind type: (_) @bind.type)
(variadic_parameter_declaration name: (identifier) @bind)
(type_parameter_declaration name: (identifier) @generic)
(method_declaration receiver: (parameter_list (parameter_declaration
  type: (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @generic))))))
(method_declaration receiver: (parameter_list (parameter_declaration
  type: (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @generic)))))))
(short_var_declaration left: (expression_list . (identifier) @bind)
  right: (expression_list . (composite_literal type: (_) @bind.type)))
(short_var_declaration left: (expression_list . (identifier) @bind)
  right: (expression_list . (unary_expression operand: (composite_literal type: (_) @bind.type))))
(short_var_declaration left: (expression_list . (identifier) @bind)
  right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @bind.new)))
(short_var_declaration left: (expression_list (identifier) @bind))
(var_spec name: (identifier) @bind type: (_) @bind.type)
(var_spec name: (identifier) @bind)
(const_spec name: (identifier) @bind)
(range_clause left: (expression_list (identifier) @bind))
(type_switch_statement alias: (expression_list (identifier) @bind))
(field_declaration name: (field_identifier) @field type: (_) @bind.type)
