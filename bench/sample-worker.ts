/**
 * Runs the tests that one change can reach, in a copy of the source tree that is its working directory; `sample.ts` starts
 * and ends it. Test runner and database cluster stay for all changes of a worker.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestSpecification, Vitest } from "vitest/node";

/** A file with the text to be tried (null: as it stands) and the test files to run, groups in their order. */
export type Task = { file: string; code: string | null; groups: string[][]; console: boolean };
/** The test file that failed, or nothing where all passed. */
export type Answer = { by: string | undefined };

// the runner of the copy, whose working directory it takes as the root
const { createVitest, BaseSequencer } = await import("vitest/node");
class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]) {
    return Promise.resolve(files);
  }
}
const vitest: Vitest = await createVitest(
  { watch: false, bail: 1, maxWorkers: 1, reporters: [{}], sequence: { sequencer: AsGiven } },
  {},
);
await vitest.standalone();

/** The first of these test files that fails. */
async function failing(files: readonly string[]): Promise<string | undefined> {
  const specifications = files.flatMap((file) => vitest.getModuleSpecifications(path.resolve(file)));
  if (!specifications.length) return undefined;
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failed = testModules.find((module) => module.state() === "failed");
  if (failed) return path.relative(process.cwd(), failed.moduleId);
  return unhandledErrors.length ? String(unhandledErrors[0]) : undefined;
}

const builds = () =>
  spawnSync(process.execPath, ["platform/server/process/build.ts"], { stdio: "ignore" }).status === 0;

async function run({ file, code, groups, console }: Task): Promise<Answer> {
  const before = readFileSync(file, "utf8");
  if (code !== null) writeFileSync(file, code);
  vitest.invalidateFile(path.resolve(file));
  try {
    if (console && !builds()) return { by: "the build" };
    for (const group of groups) {
      const by = await failing(group);
      if (by) return { by };
    }
    return { by: undefined };
  } finally {
    writeFileSync(file, before);
    vitest.invalidateFile(path.resolve(file));
  }
}

process.on("message", (task: Task) => void run(task).then((answer) => process.send!(answer)));
process.on("disconnect", () => process.exit());
process.send!("ready");
