/**
 * How well the rules are tested: changes operators, bounds and conditions of `*.rules.ts` one at a time and runs the tests
 * of rules that reach the file. `npm run mutate -- domains/finance` writes docs/mutation.gen.md; it takes minutes and is
 * no part of the tests. The changed text is served to the tests from memory: no file is touched.
 */
import { fork, type ChildProcess } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createVitest, type Vitest } from "vitest/node";
import { mutantsOf, type Mutant } from "./mutants.ts";

type Task = { file: string; code: string | null; tests: string[] };
/** Milliseconds after which a change counts as noticed: it never comes to an end. */
const ENDLESS = 30_000;
const root = path.resolve(import.meta.dirname, "..");

if (process.send) await work();
else await measure(process.argv.slice(2));

/** One vitest that lives as long as it answers. */
async function work(): Promise<void> {
  let task: Task = { file: "", code: null, tests: [] };
  const vitest: Vitest = await createVitest(
    {
      // a project of its own: those of the configuration take no plugin from here
      config: false,
      // kept by what stands on the disk, where nothing changes
      fsModuleCache: false,
      root,
      include: ["domains/**/*.rules.test.ts"],
      watch: false,
      reporters: [{}],
      maxWorkers: 1,
      // a loop without end must not take the machine's memory before it is ended
      execArgv: ["--max-old-space-size=400"],
      silent: true,
    },
    {
      plugins: [
        {
          name: "mutant",
          enforce: "pre",
          load: (id: string) =>
            task.code !== null && id.split("?")[0] === path.join(root, task.file) ? task.code : undefined,
        },
      ],
    },
  );
  await vitest.standalone();
  const run = async (next: Task) => {
    const stale = [task.file, next.file].filter(Boolean);
    task = next;
    for (const file of stale) vitest.invalidateFile(path.join(root, file));
    const specs = await vitest.globTestSpecifications(task.tests);
    const { testModules } = await vitest.rerunTestSpecifications(specs);
    // the answer holds the modules of earlier runs too
    const asked = new Set(specs.map((spec) => spec.moduleId));
    const ran = testModules.filter((module) => asked.has(module.moduleId));
    const sound = ran.length > 0 && ran.every((module) => module.state() === "passed");
    process.send!({ killed: !sound });
  };
  process.on("message", (next: Task) => void run(next));
  // the tests run in processes of this one's group: none outlives the round
  process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
  process.send!({ ready: true });
}

/** Starts a worker; answers what runs a task in it, with a new one after each that had to be ended. */
function worker() {
  let child: ChildProcess | undefined;
  const heard = (from: ChildProcess, ms: number) =>
    new Promise<{ killed?: boolean } | undefined>((resolve) => {
      const told = (message?: unknown) => {
        clearTimeout(end);
        from.off("message", told).off("exit", ended);
        resolve(message as { killed?: boolean } | undefined);
      };
      const ended = () => told();
      const end = setTimeout(ended, ms);
      from.once("message", told).once("exit", ended);
    });
  const run = async (task: Task): Promise<boolean> => {
    if (!child) {
      child = fork(import.meta.filename, {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        detached: true,
      });
      if (!(await heard(child, 120_000))) throw new Error("vitest does not start");
    }
    const answer = heard(child, ENDLESS);
    child.send(task);
    const { killed } = (await answer) ?? {};
    if (killed === undefined) stop();
    return killed ?? true;
  };
  const stop = () => {
    // its own group: the tests run in a process of the worker's
    if (child?.pid)
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // it ended by itself
      }
    child = undefined;
  };
  return { run, stop };
}

/** Tests of rules that reach a file, by their imports. */
function testsOf(file: string, tests: readonly string[]): string[] {
  const reached = new Map<string, Set<string>>();
  const reach = (from: string, into: Set<string>): Set<string> => {
    if (into.has(from)) return into;
    into.add(from);
    for (const [, to] of readFileSync(path.join(root, from), "utf8").matchAll(/from "(\.[^"]+\.tsx?)"/g))
      reach(path.posix.normalize(path.posix.join(path.posix.dirname(from), to!)), into);
    return into;
  };
  const own = tests.filter((test) => {
    if (!reached.has(test)) reached.set(test, reach(test, new Set()));
    return reached.get(test)!.has(file);
  });
  const near = own.filter((test) => path.dirname(test) === path.dirname(file));
  return near.length ? near : own;
}

async function measure(folders: string[]): Promise<void> {
  const tests = globSync("domains/**/*.rules.test.ts", { cwd: root });
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.rules.ts`, { cwd: root })).toSorted();
  const { run, stop } = worker();
  const rows: { file: string; mutants: number; alive: Mutant[] }[] = [];
  for (const file of files) {
    const code = readFileSync(path.join(root, file), "utf8");
    const mutants = mutantsOf(file, code);
    const near = testsOf(file, tests);
    const unchanged = () => run({ file, code: null, tests: near });
    // a second time where the machine was too busy to answer in time
    if (near.length && mutants.length && (await unchanged()) && (await unchanged()))
      throw new Error(`${file}: its tests fail as it stands`);
    const alive: Mutant[] = [];
    for (const mutant of mutants)
      if (!near.length || !(await run({ file, code: mutant.code, tests: near }))) alive.push(mutant);
    rows.push({ file, mutants: mutants.length, alive });
    process.stdout.write(`${file} ${mutants.length - alive.length}/${mutants.length}\n`);
    for (const m of alive) process.stdout.write(`  ${m.line}: ${m.from} → ${m.to}\n`);
  }
  stop();
  writeFileSync(path.join(root, "docs/mutation.gen.md"), told(rows));
}

function told(rows: readonly { file: string; mutants: number; alive: readonly Mutant[] }[]): string {
  const share = (all: number, alive: number) => (all ? `${(((all - alive) / all) * 100).toFixed(1)}%` : "—");
  const mutants = rows.reduce((sum, row) => sum + row.mutants, 0);
  const alive = rows.reduce((sum, row) => sum + row.alive.length, 0);
  return [
    "# How well the rules are tested",
    "",
    `Made by \`npm run mutate\`: ${mutants - alive} of ${mutants} small changes are noticed by the tests of rules (${share(mutants, alive)}).`,
    "",
    "| file | changes | noticed |",
    "| --- | --- | --- |",
    ...rows
      .filter((row) => row.mutants)
      .map((row) => `| ${row.file} | ${row.mutants} | ${share(row.mutants, row.alive.length)} |`),
    "",
    "## What nobody notices",
    "",
    ...rows.flatMap((row) => row.alive.map((m) => `- \`${row.file}:${m.line}\` \`${m.from}\` → \`${m.to}\``)),
    "",
  ].join("\n");
}
