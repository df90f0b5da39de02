; Symbols of JSON.
(pair key: (string) @name) @def.key
(comment) @comment
