; Symbols of Nix.
(binding attrpath: (attrpath) @name expression: (function_expression)) @def.function
(binding attrpath: (attrpath) @name) @def.key
(comment) @comment
