; Symbols of Rust.
(function_item name: (identifier) @name) @def.function
(function_signature_item name: (identifier) @name) @def.function
(struct_item name: (type_identifier) @name) @def.struct
(union_item name: (type_identifier) @name) @def.struct
(enum_item name: (type_identifier) @name) @def.enum
(trait_item name: (type_identifier) @name) @def.trait
(type_item name: (type_identifier) @name) @def.type
(associated_type name: (type_identifier) @name) @def.type
(const_item name: (identifier) @name) @def.constant
(static_item name: (identifier) @name) @def.constant
(macro_definition name: (identifier) @name) @def.macro
(mod_item name: (identifier) @name body: (_)) @def.module
(impl_item type: (_) @name) @scope
(line_comment) @comment
(block_comment) @comment
(attribute_item) @attr

; edges
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import

(call_expression function: (identifier) @call)
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (field_expression value: (_) @qualifier field: (field_identifier) @call))
(call_expression function: (scoped_identifier path: (_) @qualifier name: (identifier) @call))
(generic_function function: (scoped_identifier path: (_) @qualifier name: (identifier) @call))
(generic_function function: (field_expression value: (_) @qualifier field: (field_identifier) @call))
(struct_expression name: (type_identifier) @new)
(struct_expression name: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @new))
(macro_invocation macro: (identifier) @macro)
(macro_invocation macro: (scoped_identifier path: (_) @qualifier name: (identifier) @macro))
(token_tree (identifier) @token)
(attribute (identifier) @skip)

(type_identifier) @type
(scoped_type_identifier path: (_) @qualifier name: (type_identifier) @type)
(scoped_identifier path: (_) @qualifier name: (identifier) @value)
(scoped_identifier path: (identifier) @skip)
(scoped_type_identifier path: (identifier) @skip)
(identifier) @value
(lifetime (identifier) @skip)
(enum_variant name: (identifier) @skip)
(type_parameter name: (type_identifier) @generic)
(field_initializer field: (field_identifier) @skip)

(impl_item trait: (_) @inherit.implements)
(trait_item bounds: (trait_bounds (_) @inherit.extends))

(parameter pattern: (identifier) @bind type: (_) @bind.type)
(parameter pattern: (mut_pattern (identifier) @bind) type: (_) @bind.type)
(let_declaration pattern: (identifier) @bind type: (_) @bind.type)
(let_declaration pattern: (identifier) @bind value: (call_expression function: [(identifier) (scoped_identifier)] @bind.new))
(let_declaration pattern: (identifier) @bind
  value: (try_expression (call_expression function: [(identifier) (scoped_identifier)] @bind.new)))
(let_declaration pattern: (identifier) @bind value: (struct_expression name: (_) @bind.new))
(let_declaration pattern: (identifier) @bind)
(let_declaration pattern: (_ (identifier) @bind))
(let_condition pattern: (_ (identifier) @bind))
(match_pattern (_ (identifier) @bind))
(for_expression pattern: (identifier) @bind)
(for_expression pattern: (_ (identifier) @bind))
(field_pattern name: (shorthand_field_identifier) @bind)
(field_pattern pattern: (identifier) @bind)
(closure_parameters (identifier) @bind)
(closure_parameters (_ (identifier) @bind))
(field_declaration name: (field_identifier) @field type: (_) @bind.type)
