/** Runs tests of rules over one changed file after another, in one process; `mutate.ts` starts and ends it. */
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { taken } from "./mutant-tests.ts";

/** A file as it stands or changed, the modules that see the change, and the test files, in the order to run them. */
export type Task = { file: string; code: string | null; dependents: string[]; tests: string[] };
/** The first failure and the test file it is in, or the milliseconds that each test file took. */
export type Answer = { failed: string; by: string } | { took: number[] };

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
  load(url, context, next) {
    const [href] = url.split("?");
    if (!href || !dependents.has(href)) return next(url, context);
    const changed = href === urlOf(task.file) ? task.code : null;
    const source = changed === null ? (plain.get(href) ?? read(href)) : stripTypeScriptTypes(changed);
    return { format: "module", source, shortCircuit: true };
  },
});

/** Modules without their types: they are loaded thousands of times. */
const plain = new Map<string, string>();
function read(href: string): string {
  const source = stripTypeScriptTypes(readFileSync(fileURLToPath(href), "utf8"));
  plain.set(href, source);
  return source;
}

async function run(next: Task): Promise<Answer> {
  turn++;
  task = next;
  dependents = new Set(task.dependents.map(urlOf));
  const took: number[] = [];
  let by = "";
  try {
    for (const file of task.tests) {
      by = file;
      const began = performance.now();
      await import(urlOf(file));
      for (const test of taken.splice(0)) await test();
      took.push(performance.now() - began);
    }
    return { took };
  } catch (error) {
    taken.length = 0;
    return { failed: String(error), by };
  }
}

process.on("message", (next: Task) => void run(next).then((answer) => process.send!(answer)));
process.on("disconnect", () => process.exit());
process.send!("ready");
