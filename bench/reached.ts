/**
 * Which test files come past which change of a sample: the tests are run once over a copy of the tree with no change in force,
 * and each switch tells who asked it. A change that no test comes past is one that none can notice.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** `early`: asked while modules were loaded, which files of one worker share; then the file named is only the first. */
type Passed = { files: Set<string>; early: boolean };
export type Reached = {
  passed: ReadonlyMap<number, Passed>;
  /** Milliseconds of each test file. */
  took: ReadonlyMap<string, number>;
};

/** What every process of the tests loads first. `MUTANT` is the number in force, `MUTANTS_ASKED` where the askers are kept. */
const SWITCH = `import fs from "node:fs";
import http from "node:http";

const inForce = Number(process.env.MUTANT ?? 0);
const kept = process.env.MUTANTS_ASKED;
const told = new Set();

function asked(number, early) {
  const file = globalThis.__vitest_worker__?.filepath;
  // processes that a test starts speak in its name
  if (file) process.env.MUTANTS_TEST = file;
  const line = number + " " + (early ? "early" : "-") + " " + (process.env.MUTANTS_TEST ?? "");
  if (told.has(line)) return;
  told.add(line);
  fs.appendFileSync(kept, line + "\\n");
}
const loading = () => {
  Error.stackTraceLimit = 300;
  return /runInlinedModule|ModuleJob|evaluateModule/.test(new Error().stack);
};
const known = new Set();
globalThis.mutant = !kept
  ? (number) => number === inForce
  : (number) => {
      const at = number + " " + globalThis.__vitest_worker__?.filepath;
      if (!known.has(at)) {
        known.add(at);
        asked(number, loading());
      }
      return false;
    };
if (kept) {
  // pages ask over the network
  const emit = http.Server.prototype.emit;
  http.Server.prototype.emit = function (event, request, ...more) {
    const number = event === "request" && /mutants-asked[.]js[?](\\d+)/.exec(request.url)?.[1];
    if (number) asked(Number(number), false);
    return emit.call(this, event, request, ...more);
  };
}
`;
const IN_PAGES = `const told = new Set();
globalThis.mutant = (number) => {
  if (!told.has(number)) fetch("/sams/assets/mutants-asked.js?" + number);
  told.add(number);
  return false;
};
`;

const assets = (copy: string, name: string) => path.join(copy, "dist/console/assets", name);

/** Puts a change of a copy (0: none) in force for the pages that its tests open. */
export const inForce = (copy: string, number: number): void =>
  writeFileSync(assets(copy, "mutant.js"), `globalThis.mutant = (number) => number === ${number};\n`);

/** Lays down what the switches of a copy ask. */
export function withSwitch(copy: string): void {
  writeFileSync(path.join(copy, "mutant.mjs"), SWITCH);
  inForce(copy, 0);
}

/** Runs these test files in a copy of the tree; takes as long as they do. */
export function reachedIn(copy: string, tests: readonly string[]): Reached {
  const kept = path.join(copy, "asked.txt");
  const report = path.join(copy, "report.json");
  rmSync(kept, { force: true });
  appendFileSync(kept, "");
  writeFileSync(assets(copy, "mutants-asked.js"), "");
  writeFileSync(assets(copy, "mutant.js"), IN_PAGES);
  const runner = path.join(copy, "node_modules/vitest/vitest.mjs");
  spawnSync(process.execPath, [runner, "run", "--reporter=json", `--outputFile.json=${report}`, ...tests], {
    cwd: copy,
    stdio: "ignore",
    env: { ...process.env, NODE_OPTIONS: `--import ${path.join(copy, "mutant.mjs")}`, MUTANTS_ASKED: kept },
  });
  inForce(copy, 0);
  if (!existsSync(report)) throw new Error("the tests did not run");
  const passed = new Map<number, Passed>();
  for (const line of readFileSync(kept, "utf8").split("\n")) {
    const [number, early, ...file] = line.split(" ");
    if (!number || !file.length) continue;
    const one = passed.get(Number(number)) ?? { files: new Set(), early: false };
    if (early === "early") one.early = true;
    if (file[0]) one.files.add(path.relative(copy, file.join(" ")));
    passed.set(Number(number), one);
  }
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { name: string; startTime: number; endTime: number }[];
  };
  const took = new Map(
    testResults.map(({ name, startTime, endTime }) => [path.relative(copy, name), endTime - startTime]),
  );
  return { passed, took };
}
