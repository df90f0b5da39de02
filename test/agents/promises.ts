/**
 * What is promised to a session, and the tests that hold it: scenes with real agents (`sessions/`), and tests of the
 * built binary where a promise has more cases than a session can play. `promises.test.ts` fails for a promise without
 * a real agent, and for a test that is not there any more.
 */
export interface Held {
  /** The agent whose scenes these are; none for tests without one. */
  readonly agent?: "claude" | "codex" | "copilot" | "gemini" | "opencode" | "mcp";
  /** Under `test/`. */
  readonly file: string;
  /** The tests' own names, or the beginning of what several share. */
  readonly tests: readonly string[];
}

const scenes = (agent: NonNullable<Held["agent"]>, ...tests: readonly string[]): Held => ({
  agent,
  file: `agents/sessions/${agent}.test.ts`,
  tests,
});
const binary = (file: string, ...tests: readonly string[]): Held => ({ file, tests });

const word = "the same questions, word for word, over the door that editors use";
const goesOn = "leaves the session as it was";

export const promises: Readonly<Record<string, readonly Held[]>> = {
  "The same prompt, refusal and permission with us as without us": [
    scenes(
      "claude",
      "the same prompt, refusal and permission",
      "rules about folders are held against commands that name them",
      "a person who is asked and says yes gets the very command that was shown",
    ),
    scenes(
      "codex",
      word,
      "the same refusal and permission",
      "a rule that asks, in a mode that asks about nothing else",
    ),
    scenes("copilot", word, "the same refusal and permission"),
    scenes("gemini", word, "the same refusal and permission"),
    scenes("opencode", word, "the same refusal and permission"),
    binary("agents-unit/permissions.test.ts", "nothing is rewritten, whatever the command"),
    binary("e2e/hook-faults.test.ts", "fault 125", "fault 127", "a denied command is never touched"),
  ],
  "What an agent refuses by its own judgement stays refused": [
    scenes("codex", "what Codex refuses by its own judgement in the mode that asks nothing"),
  ],
  "What a repository brings allows nothing before its user trusts it": [
    scenes(
      "claude",
      "an allow of the project's in a folder that nobody trusts",
      "an allow of local settings that came with the repository",
    ),
    binary("e2e/hook-faults.test.ts", "a filter that came with the repository is unknown until it is trusted"),
  ],
  "Replace the result rather than the call, where the agent lets us": [
    scenes(
      "claude",
      "a long output of a command that went well is shortened behind the agent's back",
      "an output that the agent itself puts into a file costs no more with us",
      "a long listing of files is told by folder, and an MCP server's long answer is shortened",
    ),
    scenes("copilot", "a failing test run keeps its failures and its exit code, and loses its noise"),
    scenes("opencode", "a failing test run keeps its failures and loses its noise"),
    scenes("codex", word),
  ],
  "What is left out can be fetched, whole and word for word": [
    scenes(
      "claude",
      "what was left out is fetched whole by the command that the model was told, and not shortened again",
    ),
    binary("e2e/hook-session.test.ts", "is shortened in the tool's own shape, with the way back"),
  ],
  "The rewrite is for what that can't reach: a long failure keeps its facts and its exit code": [
    scenes("claude", "a failing test run keeps its failures and loses its noise"),
    scenes("codex", "a failing test run keeps its failures and its exit code, and loses its noise"),
    scenes("gemini", "a failing test run keeps its failures, and loses its noise"),
  ],
  "Known secrets are masked on the way": [
    scenes("claude", "a credential in an output is masked on its way to the model"),
    binary("e2e/hook-session.test.ts", "loses its credentials on the way, and says that it did"),
  ],
  "In a sandbox that lets us write nothing, everything passes through": [
    scenes(
      "codex",
      "in a sandbox that can write nothing, everything is shown",
      "in a sandbox that can't write to the home, the whole output is kept in the temporary folder",
    ),
  ],
  "A big file is read, and answered with its outline; an edit of it works": [
    scenes("claude", "a big file is answered by its outline, an Edit of it works, and the second Read gets all of it"),
    scenes("copilot", "a big file is answered by its outline, an edit of it works, and the second view gets all of it"),
    scenes("opencode", "a failing test run keeps its failures and loses its noise"),
    scenes("gemini", "a big file is answered by its outline once, and the second time by all of it"),
  ],
  "A second whole read gets the whole file, also where the agent would say 'unchanged'": [
    scenes("claude", "the second Read of a file that did not change gets the whole file too"),
    binary("e2e/hook-session.test.ts", "is asked for once, even when two settings files deliver the same call"),
  ],
  "A file that the agent refuses for its size gets its outline beside the refusal": [
    scenes("claude", "a file that the agent refuses for its size is refused, and its outline goes with it"),
  ],
  "A search that finds nothing is answered by meaning, a name by the symbol table; matches stand": [
    scenes(
      "claude",
      "a search that finds nothing is answered by meaning, and one that finds something is left alone",
      "a search for a name that stands nowhere is answered by the near one, and one without a limit gets one",
    ),
    scenes("copilot", "a search that finds nothing is answered by meaning"),
    scenes("gemini", "a question and a name are answered from the index once, then searched for"),
  ],
  "Any doubt passes through: a hook that is missing, killed, crashing or hanging; no index, a damaged one, a broken configuration":
    [
      scenes(
        "claude",
        goesOn,
        "without an index, with a damaged one and with a broken configuration the session is as it was",
      ),
      scenes("codex", goesOn),
      scenes("copilot", goesOn),
      scenes("gemini", goesOn),
      scenes("opencode", goesOn),
      binary(
        "e2e/hook-attacks.test.ts",
        "a configuration that is a pipe",
        "records of a session of 1 GB",
        "an index that is being written",
        "a home that can only be read, or has no room left",
        "100,000 levels in the input",
        "a fault that every call meets is one line, however long its message",
      ),
      binary("e2e/hook-guard.test.ts", "random and broken payloads through the binary", "the log holds no credential"),
    ],
  "In time: past its budget the hook gives up": [
    scenes("claude", "a disk that never answers costs the hook's own time, and the session goes on"),
    binary("e2e/hook-guard.test.ts", "a disk that never answers ends in"),
  ],
  "Once: what is wrapped already, or delivered twice, is left alone": [
    scenes("claude", "a hook that is loaded twice does its work once"),
    scenes("copilot", "a hook that is loaded twice, once through Claude's settings, does its work once"),
    binary("e2e/hook-faults.test.ts", "a rewrite is not rewritten again"),
  ],
  "Heredocs, pipes, redirections, substitutions and background jobs run as they were written": [
    scenes(
      "claude",
      "heredocs, pipes, redirections, substitutions and background jobs run as they were written",
      "lines that other tools have broken mean what they meant",
      "a background job that the agent starts itself is left alone",
    ),
    scenes("codex", "heredocs, pipes, redirections, substitutions and background jobs run as they were written"),
    scenes("copilot", "heredocs, pipes, redirections and background jobs run as they were written"),
    scenes("gemini", "heredocs, pipes and redirections run as they were written"),
  ],
  "What the project's configuration excludes is left alone on every path": [
    scenes("claude", "what the project's configuration excludes is left alone before and after"),
    binary("e2e/hook-faults.test.ts", "fault 103", "only: nothing but what is named is touched"),
  ],
  "Removal leaves every file as it was; installing twice is once": [
    scenes("claude", "after a session, removal leaves every settings file as it was"),
    scenes("mcp", "'s list, and not after its removal"),
    binary(
      "install/install.test.ts",
      "whatever the settings were, removal gives them back",
      "odd shapes that people have",
    ),
  ],
  "No record of trust is written: a hook that its user has not reviewed does nothing": [
    scenes("codex", "a hook that nobody has reviewed does nothing, and one that was reviewed works"),
    binary("install/install.test.ts", "nothing that is installed is a record of trust"),
  ],
};
