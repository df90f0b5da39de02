; Symbols of SCSS.
(mixin_statement (name) @name) @def.function
(function_statement (name) @name) @def.function
(placeholder (name) @name) @def.selector
(rule_set (selectors) @name) @def.selector
(keyframes_statement (keyframes_name) @name) @def.selector
(stylesheet (declaration (variable_name) @name) @def.variable)
(comment) @comment
(single_line_comment) @comment
