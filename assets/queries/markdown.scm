; Symbols of Markdown: a section is its heading and all under it.
(section . (atx_heading heading_content: (inline) @name)) @def.heading
(setext_heading heading_content: (paragraph) @name) @def.heading @rest
