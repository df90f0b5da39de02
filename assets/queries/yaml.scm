; Symbols of YAML.
(block_mapping_pair key: (_) @name) @def.key
(comment) @comment
