; Symbols of LaTeX.
(part text: (curly_group (_) @name)) @def.heading
(chapter text: (curly_group (_) @name)) @def.heading
(section text: (curly_group (_) @name)) @def.heading
(subsection text: (curly_group (_) @name)) @def.heading
(subsubsection text: (curly_group (_) @name)) @def.heading
(paragraph text: (curly_group (_) @name)) @def.heading
(new_command_definition declaration: (curly_group_command_name command: (command_name) @name)) @def.macro
(label_definition name: (curly_group_text text: (_) @name)) @def.key
(line_comment) @comment
