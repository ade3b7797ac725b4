/**
 * How well the product is tested: `npm run mutants -- --sample 300 --seed 7 [folders]` changes one operator, bound, guard or
 * condition at a time, chosen by the seed from all product code, runs the tests that `npm test -- --changed` would run for
 * it (nearest first, until one fails; the checks of names and texts apart), and prints the share that was noticed by domain
 * and what was not, with file and line. It takes hours and is no part of the tests. Changes are made in copies of the tree.
 */
import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { QUICK, reachOf } from "../platform/checks/changed.ts";
import { domainOf, sideOf } from "../platform/checks/house.ts";
import { filesOf, isCode, isGenerated, isTest, ROOT, textOf } from "../platform/checks/tree.ts";
import { EQUAL } from "./equal-mutants.ts";
import { mutantsOf, type Mutant } from "./mutants.ts";
import type { Answer, Task } from "./sample-worker.ts";

/** Milliseconds after which a change counts as noticed: it comes to no end. */
const ENDLESS = 15 * 60_000;
const WORKERS = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "string", default: "300" }, seed: { type: "string", default: "1" } },
});
const [size, seed] = [Number(values.sample), Number(values.seed)];

type Changed = Mutant & { file: string };
type Result = Changed & { by: string | undefined };

/** Numbers below 1, the same for the same seed (mulberry32). */
function numbersFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const isProduct = (file: string) =>
  /^(domains|platform\/(kernel|server|console)|screens)\//.test(file) &&
  isCode(file) &&
  !isGenerated(file) &&
  !isTest(file) &&
  !/\.sample\.ts$/.test(file);

/** Changes chosen by the seed; those that nobody can notice are passed over. */
function chosen(): Changed[] {
  const files = filesOf()
    .filter(isProduct)
    .filter((file) => !positionals.length || positionals.some((folder) => file.startsWith(folder)));
  const all = files.flatMap((file) =>
    mutantsOf(file, textOf(file), { guards: true })
      .filter(({ becomes }) => !EQUAL.some((equal) => equal.file === file && equal.becomes === becomes))
      .map((mutant) => ({ ...mutant, file })),
  );
  const next = numbersFrom(seed);
  const picked = new Map<number, Changed>();
  while (picked.size < Math.min(size, all.length)) {
    const at = Math.floor(next() * all.length);
    picked.set(at, all[at]!);
  }
  return [...picked.values()];
}

/** The tests of the noun first, then those of its domain, then the others. */
function groupsOf(file: string, tests: readonly string[]): string[][] {
  const folder = `${path.posix.dirname(file)}/`;
  const domain = domainOf(file);
  const rank = (test: string) =>
    test.startsWith(folder) ? 0 : test.startsWith("e2e/") ? 3 : domain && domainOf(test) === domain ? 1 : 2;
  return [0, 1, 2, 3].map((near) => tests.filter((test) => rank(test) === near)).filter((g) => g.length > 0);
}

/** The source in a folder of its own, with the packages of this one. */
function copyOfTree(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), "mutants-"));
  for (const file of filesOf()) {
    mkdirSync(path.join(copy, path.dirname(file)), { recursive: true });
    cpSync(path.join(ROOT, file), path.join(copy, file));
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"), "dir");
  return copy;
}

/** A worker over a copy of its own, started anew after each change that came to no end. */
function worker() {
  const copy = copyOfTree();
  let child: ChildProcess | undefined;
  const heard = (from: ChildProcess, ms: number) =>
    new Promise<Answer | undefined>((resolve) => {
      const told = (message?: unknown) => {
        clearTimeout(end);
        from.off("message", told).off("exit", ended);
        resolve(message as Answer | undefined);
      };
      const ended = () => told();
      const end = setTimeout(ended, ms);
      from.once("message", told).once("exit", ended);
    });
  const end = () => {
    // with the processes that the tests run in
    if (child?.pid) spawnSync("pkill", ["-KILL", "-P", String(child.pid)]);
    child?.kill("SIGKILL");
    child = undefined;
  };
  const run = async (task: Task): Promise<Answer> => {
    if (!child) {
      child = fork(path.join(copy, "bench/sample-worker.ts"), {
        cwd: copy,
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      if (!(await heard(child, 120_000))) throw new Error("the worker does not start");
    }
    const answer = heard(child, ENDLESS);
    child.send(task);
    const known = await answer;
    if (known) return known;
    end();
    writeFileSync(path.join(copy, task.file), readFileSync(path.join(ROOT, task.file)));
    return { by: "it comes to no end" };
  };
  const close = () => {
    end();
    rmSync(copy, { recursive: true, force: true });
  };
  return { run, close };
}

const queue = chosen();
const reach = reachOf();
const results: Result[] = [];
const shown = ({ file, line, from, to, becomes }: Changed) =>
  `${file}:${line} ${from.split("\n")[0]} → ${to.split("\n")[0]}    ${becomes}`;

async function work(): Promise<void> {
  const { run, close } = worker();
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { file, code } = next;
      const tests = reach([file]).filter((test) => !QUICK.includes(test));
      const began = performance.now();
      const { by } = await run({
        file,
        code,
        groups: groupsOf(file, tests),
        console: sideOf(file) === "console",
      });
      results.push({ ...next, by });
      const seconds = Math.round((performance.now() - began) / 1000);
      process.stdout.write(
        `${by ? "noticed" : "ALIVE  "} ${seconds} s ${shown(next)}${by ? `    ${by}` : ""}\n`,
      );
    }
  } finally {
    close();
  }
}
await Promise.all(Array.from({ length: WORKERS }, work));

const share = (of: readonly Result[]) => {
  const noticed = of.filter(({ by }) => by).length;
  return `${noticed} of ${of.length}, ${((100 * noticed) / of.length).toFixed(1)} %`;
};
const placeOf = (file: string) => file.split("/").slice(0, 2).join("/");
process.stdout.write(`\nSeed ${seed}: noticed ${share(results)}\n`);
for (const [place, of] of [...Map.groupBy(results, ({ file }) => placeOf(file))].toSorted())
  process.stdout.write(`  ${place}: ${share(of)}\n`);
process.stdout.write("Not noticed:\n");
for (const result of results.filter(({ by }) => !by).toSorted((a, b) => (a.file < b.file ? -1 : 1)))
  process.stdout.write(`  ${shown(result)}\n`);
