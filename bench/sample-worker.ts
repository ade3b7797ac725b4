/**
 * Runs the tests that one change can reach, in a copy of the source tree that is its working directory; `sample.ts` starts
 * and ends it. Test runner and database cluster stay for all changes of a worker.
 */
import path from "node:path";
import type { TestModule, TestSpecification, Vitest } from "vitest/node";
import { inForce } from "./reached.ts";

/** The number of a change (0: none) and the test files to run, groups in their order. */
export type Task = { number: number; groups: string[][] };
/** The test file that failed, or nothing where all passed. */
export type Answer = { by: string | undefined };

// the runner of the copy, whose working directory it takes as the root
const { createVitest, BaseSequencer } = await import("vitest/node");
class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]) {
    return Promise.resolve(files);
  }
}
/** The first file that failed in this run; the runner's own results keep those of the runs before. */
let failed: string | undefined;
const onTestModuleEnd = (module: TestModule) => {
  if (module.state() === "failed") failed ??= path.relative(process.cwd(), module.moduleId);
};
const vitest: Vitest = await createVitest(
  {
    watch: false,
    bail: 1,
    maxWorkers: 1,
    reporters: [{ onTestModuleEnd }],
    sequence: { sequencer: AsGiven },
  },
  {},
);
await vitest.standalone();

/** The first of these test files that fails. */
async function failing(files: readonly string[]): Promise<string | undefined> {
  const specifications = files.flatMap((file) => vitest.getModuleSpecifications(path.resolve(file)));
  if (!specifications.length) return undefined;
  failed = undefined;
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return failed ?? (unhandledErrors.length ? String(unhandledErrors[0]) : undefined);
}

async function run({ number, groups }: Task): Promise<Answer> {
  // for the processes of the tests, and for the pages they open
  process.env["MUTANT"] = String(number);
  inForce(process.cwd(), number);
  for (const group of groups) {
    const by = await failing(group);
    if (by) return { by };
  }
  return { by: undefined };
}

process.on("message", (task: Task) => void run(task).then((answer) => process.send!(answer)));
process.on("disconnect", () => process.exit());
process.send!("ready");
