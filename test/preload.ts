/** Every test process gets a home of its own: a test must never read or write the developer's. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.env["TOKENIX_HOME"] = mkdtempSync(join(tmpdir(), "tokenix-test-home-"));
process.env["TOKENIX_AIRGAP"] = "1";
