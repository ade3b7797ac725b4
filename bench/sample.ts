/**
 * How well the product is tested: `npm run mutants -- --sample 300 --seed 7 [folders]` changes one operator, bound, guard or
 * condition at a time, chosen by the seed from all product code, runs the tests that come past it (nearest first, until one
 * fails; the checks of names and texts apart), and prints the share that was noticed by domain and what was not, with file
 * and line. `--seed 7,8,9` takes so many for each. It takes hours and is no part of the tests.
 * All changes stand in copies of the tree, each behind a switch, so that modules and console are made once; the tests
 * are run once with none in force to see what comes past which. Of what is read while modules are loaded that cannot be
 * seen: there those are run that `npm test -- --changed` would run.
 */
import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { QUICK, reachOf } from "../platform/checks/runner/changed.ts";
import { domainOf } from "../platform/checks/house.ts";
import { filesOf, isCode, isGenerated, isTest, ROOT, textOf } from "../platform/checks/tree.ts";
import { EQUAL } from "./equal-mutants.ts";
import { mutantsOf, switchedBetween, type Mutant } from "./mutants.ts";
import { reachedIn, withSwitch } from "./reached.ts";
import type { Answer, Task } from "./sample-worker.ts";

/** Milliseconds after which a change counts as noticed: it comes to no end. */
const ENDLESS = 15 * 60_000;
const WORKERS = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "string", default: "300" }, seed: { type: "string", default: "1" } },
});
const size = Number(values.sample);
const seeds = values.seed.split(",").map(Number);

type Changed = Mutant & { file: string; seed: number; number: number };
type Result = Changed & { by: string | undefined };
/** Checks that read the source as text would notice the switch itself. */
const readsText = (test: string) => QUICK.includes(test) || /^platform\/checks\/[^/]+$/.test(test);

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

/** Changes chosen by the seeds; those that nobody can notice are passed over. */
function chosen(): Changed[] {
  const files = filesOf()
    .filter(isProduct)
    .filter((file) => !positionals.length || positionals.some((folder) => file.startsWith(folder)));
  const all = files.flatMap((file) =>
    mutantsOf(file, textOf(file), { guards: true })
      .filter(({ becomes }) => !EQUAL.some((equal) => equal.file === file && equal.becomes === becomes))
      .map((mutant) => ({ ...mutant, file })),
  );
  const picked: Changed[] = [];
  for (const [at, seed] of seeds.entries()) {
    const next = numbersFrom(seed);
    for (let tries = 0; picked.length < (at + 1) * size && tries < 100 * size; tries++) {
      const one = all[Math.floor(next() * all.length)]!;
      // of two that lie in one another, the first
      const taken = picked.some(
        ({ file, part }) => file === one.file && part.start < one.part.end && one.part.start < part.end,
      );
      if (!taken) picked.push({ ...one, seed, number: picked.length + 1 });
    }
  }
  return picked;
}

/** The tests of the noun first, then those of its domain, then the others; of each the quickest first. */
function groupsOf(file: string, tests: readonly string[]): string[][] {
  const folder = `${path.posix.dirname(file)}/`;
  const domain = domainOf(file);
  const rank = (test: string) =>
    test.startsWith(folder) ? 0 : test.startsWith("e2e/") ? 3 : domain && domainOf(test) === domain ? 1 : 2;
  const quickest = tests.toSorted((a, b) => (reached.took.get(a) ?? 0) - (reached.took.get(b) ?? 0));
  return [0, 1, 2, 3]
    .map((near) => quickest.filter((test) => rank(test) === near))
    .filter((g) => g.length > 0);
}

/** The source with all changes behind switches, in a folder of its own, with the packages of this one and a console. */
function copyOfTree(changes: readonly Changed[]): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), "mutants-"));
  const byFile = Map.groupBy(changes, ({ file }) => file);
  for (const file of filesOf()) {
    mkdirSync(path.join(copy, path.dirname(file)), { recursive: true });
    const changed = byFile.get(file);
    if (changed) writeFileSync(path.join(copy, file), switchedBetween(textOf(file), changed));
    else cpSync(path.join(ROOT, file), path.join(copy, file));
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"), "dir");
  const { status } = spawnSync(process.execPath, ["platform/server/process/build.ts"], {
    cwd: copy,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("the console with the changes was not built");
  const script = '<script src="/sams/assets/mutant.js" nonce="__NONCE__"></script>';
  for (const name of ["index", "esign"]) {
    const page = path.join(copy, `dist/console/${name}.html`);
    writeFileSync(page, readFileSync(page, "utf8").replace("<script ", `${script}\n    <script `));
  }
  withSwitch(copy);
  return copy;
}

/** A worker over a copy of its own, started anew after each change that came to no end. */
function worker(copy: string) {
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
    // with the processes that the tests run in; the one that clears up behind the database is left to do so
    if (child?.pid) spawnSync("pkill", ["-KILL", "-P", String(child.pid), "-x", "node"]);
    child?.kill("SIGKILL");
    child = undefined;
  };
  const run = async (task: Task): Promise<Answer> => {
    if (!child) {
      child = fork(path.join(copy, "bench/sample-worker.ts"), {
        cwd: copy,
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        env: { ...process.env, NODE_OPTIONS: `--import ${path.join(copy, "mutant.mjs")}` },
      });
      if (!(await heard(child, 120_000))) throw new Error("the worker does not start");
    }
    const answer = heard(child, ENDLESS);
    child.send(task);
    const known = await answer;
    if (known) return known;
    end();
    return { by: "it comes to no end" };
  };
  const close = () => {
    end();
    rmSync(copy, { recursive: true, force: true });
  };
  return { run, close };
}

const changes = chosen();
const queue = [...changes];
const reach = reachOf();
const testsOf = (file: string) => reach([file]).filter((test) => !readsText(test));
const first = copyOfTree(changes);
/** With folders named, only what a change in them can reach; else all tests. */
const reached = reachedIn(
  first,
  positionals.length ? [...new Set(changes.flatMap(({ file }) => testsOf(file)))] : [],
);
const all: Result[] = [];
const shown = ({ file, line, from, to, becomes }: Changed) =>
  `${file}:${line} ${from.split("\n")[0]} → ${to.split("\n")[0]}    ${becomes}`;

async function work(copy: string): Promise<void> {
  const { run, close } = worker(copy);
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { file, number } = next;
      const passed = reached.passed.get(number);
      const past = [...(passed?.files ?? [])].filter((test) => !readsText(test));
      const tests = [...new Set([...past, ...(passed?.early ? testsOf(file) : [])])];
      const began = performance.now();
      const { by } = await run({ number, groups: groupsOf(file, tests) });
      all.push({ ...next, by });
      const seconds = Math.round((performance.now() - began) / 1000);
      process.stdout.write(
        `${by ? "noticed" : "ALIVE  "} ${seconds} s ${shown(next)}${by ? `    ${by}` : ""}\n`,
      );
    }
  } finally {
    close();
  }
}
const copies = Array.from({ length: WORKERS }, (_, at) => {
  if (!at) return first;
  const copy = mkdtempSync(path.join(os.tmpdir(), "mutants-"));
  cpSync(first, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
});
await Promise.all(copies.map(work));

const share = (of: readonly Result[]) => {
  const noticed = of.filter(({ by }) => by).length;
  return `${noticed} of ${of.length}, ${((100 * noticed) / of.length).toFixed(1)} %`;
};
const placeOf = (file: string) => file.split("/").slice(0, 2).join("/");
for (const [seed, results] of Map.groupBy(all, (result) => result.seed)) {
  process.stdout.write(`\nSeed ${seed}: noticed ${share(results)}\n`);
  for (const [place, of] of [...Map.groupBy(results, ({ file }) => placeOf(file))].toSorted())
    process.stdout.write(`  ${place}: ${share(of)}\n`);
  process.stdout.write("Not noticed:\n");
  for (const result of results.filter(({ by }) => !by).toSorted((a, b) => (a.file < b.file ? -1 : 1)))
    process.stdout.write(`  ${shown(result)}\n`);
}
