; Symbols of SQL.
(create_table (object_reference) @name) @def.table
(create_view (object_reference) @name) @def.view
(create_materialized_view (object_reference) @name) @def.view
(create_function (object_reference) @name) @def.function
(create_trigger . (_) . (keyword_trigger) . (object_reference) @name) @def.trigger
(create_index column: (identifier) @name) @def.index
(create_type (object_reference) @name) @def.type
(create_schema (identifier) @name) @def.module
(create_sequence (object_reference) @name) @def.resource
(comment) @comment
(marginalia) @comment
