; Elements of JSX.
; edges
(jsx_opening_element name: (identifier) @element)
(jsx_opening_element name: (member_expression object: (_) @qualifier property: (_) @call))
(jsx_self_closing_element name: (identifier) @element)
(jsx_self_closing_element name: (member_expression object: (_) @qualifier property: (_) @call))
(jsx_closing_element name: (_) @skip)
(jsx_closing_element name: (member_expression property: (_) @skip))
