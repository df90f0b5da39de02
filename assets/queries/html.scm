; Symbols of HTML: what has an id, and headings.
(element (start_tag (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name))) (#eq? @_id "id")) @def.element
(element (start_tag (tag_name) @_heading) (text) @name (#match? @_heading "^[hH][1-6]$")) @def.heading
(comment) @comment
