/** `tokenix impact`: a bounded walk over the graph. */
import { impact } from "../../repo/graph/traverse.ts";
import { walkCommand } from "../graph-walk.ts";

export default walkCommand({
  name: "impact",
  description: "What breaks when a symbol changes: who depends on it, and who depends on them",
  follow: impact,
  isBackward: true,
  nothing: (symbol) => `nothing in the index depends on ${symbol}`,
});
