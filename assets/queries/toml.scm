; Symbols of TOML.
(table . (_) @name) @def.key
(table_array_element . (_) @name) @def.key
(pair . (_) @name) @def.key
(comment) @comment
