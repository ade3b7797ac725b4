import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { startPostgres } from "./postgres.ts";

export type Keeper = { process: ChildProcess; pid: number; host: string; origin: string };

/** A process of its own that keeps a server on `dir`, to be killed by a test. It ends by itself on SIGTERM. */
export async function keeper(dir: string): Promise<Keeper> {
  const child = spawn(process.execPath, [import.meta.filename, dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(child.stdout))
    return { process: child, ...(JSON.parse(line) as { pid: number; host: string; origin: string }) };
  throw new Error("the keeper ended without a word");
}

if (process.argv[1] === import.meta.filename) {
  process.on("SIGTERM", () => process.exit(0));
  const { pid, host, origin } = await startPostgres(process.argv[2]!);
  console.log(JSON.stringify({ pid, host, origin }));
  setInterval(() => {}, 60_000);
}
