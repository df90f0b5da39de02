/** `tokenix filter`: everything about output filters that a person does. One file a sub-command in `filter/`. */
import { defineCommand } from "citty";

export default defineCommand({
  meta: { name: "filter", description: "List, show, try, check, record and write output filters" },
  subCommands: {
    list: () => import("./filter/list.ts").then((module) => module.default),
    active: () => import("./filter/active.ts").then((module) => module.default),
    show: () => import("./filter/show.ts").then((module) => module.default),
    try: () => import("./filter/try.ts").then((module) => module.default),
    verify: () => import("./filter/verify.ts").then((module) => module.default),
    record: () => import("./filter/record.ts").then((module) => module.default),
    generate: () => import("./filter/generate.ts").then((module) => module.default),
  },
});
