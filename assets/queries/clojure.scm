; Symbols of Clojure.
(source (list_lit . (sym_lit) @_key . (sym_lit name: (sym_name) @name)) @def.module @rest (#any-of? @_key "ns" "in-ns"))
(source (list_lit . (sym_lit) @_key . (sym_lit name: (sym_name) @name)) @def.function
  (#any-of? @_key "defn" "defn-" "defmulti" "defmethod" "deftask" "defn-spec" "s/defn" "defnk" "deftest"))
(source (list_lit . (sym_lit) @_key . (sym_lit name: (sym_name) @name)) @def.macro (#any-of? @_key "defmacro" "definline"))
(source (list_lit . (sym_lit) @_key . (sym_lit name: (sym_name) @name)) @def.struct (#any-of? @_key "defrecord" "deftype" "defstruct"))
(source (list_lit . (sym_lit) @_key . (sym_lit name: (sym_name) @name)) @def.interface (#any-of? @_key "defprotocol" "definterface"))
(source (list_lit . (sym_lit) @_key . (sym_lit name: (sym_name) @name)) @def.constant (#any-of? @_key "def" "defonce" "s/def" "declare"))
(comment) @comment
