/** `tokenix flow`: a bounded walk over the graph. */
import { flow } from "../../repo/graph/traverse.ts";
import { walkCommand } from "../graph-walk.ts";

export default walkCommand({
  name: "flow",
  description: "What runs when a symbol runs: what it calls, and what they call",
  follow: flow,
  isBackward: false,
  nothing: (symbol) => `nothing in the project is called by ${symbol}`,
});
