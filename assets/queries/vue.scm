; Symbols of a Vue component: its blocks. What its script holds is read as TypeScript or JavaScript.
(template_element (start_tag . (tag_name) @name)) @def.element
(script_element (start_tag . (tag_name) @name)) @def.element
(style_element (start_tag . (tag_name) @name)) @def.element
(comment) @comment
