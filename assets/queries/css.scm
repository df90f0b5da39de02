; Symbols of CSS.
(rule_set (selectors) @name) @def.selector
(keyframes_statement (keyframes_name) @name) @def.selector
(declaration (property_name) @name (#match? @name "^--")) @def.constant
(comment) @comment
