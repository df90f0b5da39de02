/**
 * Runs one command from a small process and prints its peak memory as JSON. The system counts the peak of a process
 * from before it was replaced by the command, when it still was a copy of whoever started it: `true`, started by a
 * bench of 290 MB, "takes" 290 MB. This process is 40 MB, so what is larger is measured truly.
 */
const command = process.argv.slice(2);
const started = Bun.nanoseconds();
const child = Bun.spawn(command, { stdin: "inherit", stdout: "ignore", stderr: "ignore" });
const code = await child.exited;
const ms = (Bun.nanoseconds() - started) / 1e6;
console.log(JSON.stringify({ code, ms, peakMb: Number(child.resourceUsage()?.maxRSS ?? 0) / 1e6 }));

export {};
