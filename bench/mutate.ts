/**
 * How well the rules are tested: changes operators, bounds and conditions of `*.rules.ts` one at a time and runs the tests
 * of rules that reach the file, until one fails. `npm run mutate -- domains/finance` writes test-results/mutation.md; it takes
 * minutes and is no part of the tests. The changed text is served to the tests from memory: no file is touched.
 */
import { fork, type ChildProcess } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EQUAL } from "./equal-mutants.ts";
import type { Answer, Task } from "./mutant-worker.ts";
import { mutantsOf, type Mutant } from "./mutants.ts";

/** Milliseconds, on top of ten times what the tests take, after which a change counts as noticed: it never ends. */
const ENDLESS = 10_000;
const root = path.resolve(import.meta.dirname, "..");
process.chdir(root);

type Row = { file: string; mutants: number; alive: Mutant[] };

/** Starts a worker; answers what runs a task in it, with a new one after each that had to be ended. */
function worker() {
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
  const run = async (task: Task, ms: number): Promise<Answer> => {
    if (!child) {
      child = fork(path.join(import.meta.dirname, "mutant-worker.ts"), {
        // a loop without end must not take the machine's memory before it is ended
        execArgv: ["--max-old-space-size=1000"],
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      if (!(await heard(child, 120_000))) throw new Error("the worker does not start");
    }
    const answer = heard(child, ms);
    child.send(task);
    const known = await answer;
    if (!known) stop();
    return known ?? { failed: "it comes to no end", by: "" };
  };
  const stop = () => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  return { run, stop };
}

/** Each test file with the modules it reaches by imports. */
function reachOf(tests: readonly string[]): Map<string, Set<string>> {
  const imports = new Map<string, string[]>();
  const importsOf = (from: string) => {
    if (!imports.has(from))
      imports.set(
        from,
        [...readFileSync(from, "utf8").matchAll(/from "(\.[^"]+\.tsx?)"/g)].map(([, to]) =>
          path.posix.join(path.posix.dirname(from), to!),
        ),
      );
    return imports.get(from)!;
  };
  const reach = (from: string, into: Set<string>): Set<string> => {
    if (!into.has(from)) for (const to of importsOf((into.add(from), from))) reach(to, into);
    return into;
  };
  return new Map(tests.map((test) => [test, reach(test, new Set())]));
}

async function measure(folders: string[]): Promise<void> {
  const tests = globSync("domains/**/*.rules.test.ts");
  const reached = reachOf(tests);
  const seen = reachOf([...new Set([...reached.values()].flatMap((files) => [...files]))]);
  const files = folders
    .flatMap((folder) => globSync([`${folder}/**/*.rules.ts`, `${folder}.rules.ts`]))
    .toSorted();
  const rows: Row[] = [];
  for (const file of files) {
    const code = readFileSync(file, "utf8");
    const mutants = mutantsOf(file, code);
    if (!mutants.length) continue;
    const dependents = [...seen].filter(([, all]) => all.has(file)).map(([from]) => from);
    const domain = file.split("/").slice(0, 2).join("/");
    const own = tests.filter((test) => test.startsWith(`${domain}/`) && reached.get(test)!.has(file));
    const { run, stop } = worker();
    const first = await run({ file, code: null, dependents, tests: own }, 600_000);
    if ("failed" in first) throw new Error(`${file}: its tests fail as it stands: ${first.failed}`);
    let order = own.toSorted((a, b) => first.took[own.indexOf(a)]! - first.took[own.indexOf(b)]!);
    const ms = ENDLESS + 10 * first.took.reduce((sum, each) => sum + each, 0);
    const alive: Mutant[] = [];
    for (const mutant of mutants) {
      const answer = await run({ file, code: mutant.code, dependents, tests: order }, ms);
      // what noticed one change is likely to notice the next
      if (!("failed" in answer)) alive.push(mutant);
      else if (answer.by) order = [answer.by, ...order.filter((test) => test !== answer.by)];
    }
    stop();
    rows.push({ file, mutants: mutants.length, alive });
    process.stdout.write(`${file} ${mutants.length - alive.length}/${mutants.length}\n`);
    for (const m of alive) process.stdout.write(`  ${whyOf(file, m) ? "=" : "?"} ${m.line}: ${m.becomes}\n`);
  }
  mkdirSync("test-results", { recursive: true });
  writeFileSync("test-results/mutation.md", told(rows));
}

const whyOf = (file: string, mutant: Mutant) =>
  EQUAL.find((equal) => equal.file === file && equal.becomes === mutant.becomes)?.why;

function told(rows: readonly Row[]): string {
  const share = (of: readonly Row[]) => {
    const mutants = of.reduce((sum, row) => sum + row.mutants, 0);
    const noticed = mutants - of.reduce((sum, row) => sum + row.alive.length, 0);
    return `${mutants} | ${noticed} | ${((noticed / mutants) * 100).toFixed(1)}%`;
  };
  const domains = Map.groupBy(rows, ({ file }) => file.split("/").slice(0, 2).join("/"));
  const alive = rows.flatMap(({ file, alive: left }) =>
    left.map((m) => ({
      file,
      why: whyOf(file, m),
      place: `- \`${file}:${m.line}\` \`${m.from}\` → \`${m.to}\``,
    })),
  );
  const unexplained = alive.filter(({ why }) => !why).map(({ place }) => place);
  const explained = alive.filter(({ why }) => why).map(({ place, why }) => `${place}: ${why}`);
  // what was said of a line that stands no longer, or that a test notices after all
  const stale = EQUAL.filter(({ file, becomes }) =>
    rows.some((row) => row.file === file && !row.alive.some((m) => m.becomes === becomes)),
  ).map(({ file, becomes }) => `- \`${file}\` \`${becomes}\` is in \`bench/equal-mutants.ts\` for nothing`);
  return [
    "# How well the rules are tested",
    "",
    "Made by `npm run mutate`: operators, bounds and conditions of the rules are changed one at a time, and the domain's own tests of rules that reach the file must notice. Random cases are thirty for each law, always the same ones.",
    "",
    "Why a script of our own and not Stryker: its runner takes Vitest from 2 on and may well work here (it was not tried), but it brings a second parser and compiler (Babel 8) into a project that keeps its dependencies few, and wants what cannot be noticed marked by comments inside the rules. The script is four small files on the parser that Vite has already, and touches no file.",
    "",
    "| domain | changes | noticed | share |",
    "| --- | --- | --- | --- |",
    ...[...domains].map(([domain, of]) => `| ${domain} | ${share(of)} |`),
    "",
    "## Changes without a reason that nobody notices",
    "",
    ...(unexplained.length + stale.length ? [...unexplained, ...stale] : ["None."]),
    "",
    "## Changes that cannot be noticed",
    "",
    ...explained,
    "",
    "## By file",
    "",
    "| file | changes | noticed | share |",
    "| --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row.file} | ${share([row])} |`),
    "",
  ].join("\n");
}

await measure(process.argv.slice(2));
