import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, longest first; where several run side by side, none of these may be left for the end. */
const LONG = [
  "e2e/every-screen",
  "e2e/every-role",
  "e2e/readable",
  "e2e/parties",
  "e2e/people",
  "e2e/killed",
  "e2e/sync",
  "platform/server/process/start",
  "platform/checks/new",
  "platform/checks/calls/extremes",
  "platform/server/jobs/jobs",
];
const rank = (file: string) => {
  const at = LONG.findIndex((name) => file.includes(`/${name}.test.`));
  return at < 0 ? LONG.length : at;
};

/** The order of test files: it is the same on every machine, and the long ones begin first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}
