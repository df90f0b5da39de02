; Symbols of XML: the root, and elements that are named.
(document root: (element (STag . (Name) @name)) @def.element)
(element (STag (Attribute (Name) @_key (AttValue) @name)) (#any-of? @_key "id" "name" "key" "x:Name")) @def.element
(element (EmptyElemTag (Attribute (Name) @_key (AttValue) @name)) (#any-of? @_key "id" "name" "key" "x:Name")) @def.element
(Comment) @comment
