import { spawnSync } from "node:child_process";
import path from "node:path";

/** The console is built once for a run of the stories, by a process of its own: the test runner loads modules its own way. */
export default function setUp(): void {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, "build.ts")], {
    stdio: "inherit",
  });
  if (status) throw new Error("the console was not built");
}
