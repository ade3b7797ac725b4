/** Runs tests of rules over one changed file after another, in one process; `mutate.ts` starts and ends it. */
import { registerHooks } from "node:module";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { taken } from "./mutant-tests.ts";

/** A file as it stands or changed, the modules that see the change, and the test files, in the order to run them. */
export type Task = { file: string; code: string | null; dependents: string[]; tests: string[] };
/** The first failure, or the milliseconds that each test file took. */
export type Answer = { failed: string } | { took: number[] };

const STANDS_IN = new URL("./mutant-tests.ts", import.meta.url).href;
const urlOf = (file: string) => pathToFileURL(file).href;
/** A module that sees the change is loaded anew for each, under a name of its own. */
let turn = 0;
let task: Task;
let dependents: Set<string>;

registerHooks({
  resolve(specifier, context, next) {
    const asks = context.parentURL ?? "";
    if (/^(vitest|fast-check)$/.test(specifier) && asks !== STANDS_IN && !asks.includes("/node_modules/"))
      return { url: STANDS_IN, shortCircuit: true };
    const found = next(specifier, context);
    return dependents.has(found.url) ? { ...found, url: `${found.url}?${turn}` } : found;
  },
  load: (url, context, next) =>
    task.code !== null && url === `${urlOf(task.file)}?${turn}`
      ? { format: "module-typescript", source: task.code, shortCircuit: true }
      : next(url, context),
});

async function run(next: Task): Promise<Answer> {
  turn++;
  task = next;
  dependents = new Set(task.dependents.map(urlOf));
  const took: number[] = [];
  try {
    for (const file of task.tests) {
      const began = performance.now();
      await import(urlOf(file));
      for (const test of taken.splice(0)) await test();
      took.push(performance.now() - began);
    }
    return { took };
  } catch (error) {
    taken.length = 0;
    return { failed: String(error) };
  }
}

process.on("message", (next: Task) => void run(next).then((answer) => process.send!(answer)));
process.on("disconnect", () => process.exit());
process.send!("ready");
