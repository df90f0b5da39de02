; Symbols of HCL: `resource "aws_s3_bucket" "store"` is aws_s3_bucket.store.
(config_file (body (block . (identifier) . (string_lit (template_literal) @receiver) . (string_lit (template_literal) @name)) @def.resource))
(config_file (body (block . (identifier) . (string_lit (template_literal) @name) . (block_start)) @def.resource))
(config_file (body (block . (identifier) @name . (block_start)) @def.resource))
(config_file (body (block . (identifier) @_locals (body (attribute . (identifier) @name) @def.constant))) (#eq? @_locals "locals"))
(config_file (body (attribute . (identifier) @name) @def.key))
(comment) @comment
