import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What takes longest, longest first, as the end of a run tells it; where several run side by side, none of these may be left
 * for the end.
 */
const LONG = [
  "e2e/house/every-screen",
  "platform/checks/security/enterprises",
  "platform/checks/calls/extremes",
  "platform/server/process/start",
  "e2e/house/every-role",
  "platform/checks/new",
  "demo/demo",
  "platform/server/backup/backup",
  "e2e/house/killed",
  "e2e/customer/parties",
  "platform/checks/calls/every-call",
  "e2e/listing/sync",
  "e2e/listing/board",
  "e2e/house/readable",
  "platform/checks/security/strangers",
  "e2e/finance/month-end",
  "e2e/house/first-day",
  "platform/server/postgres/postgres",
  "e2e/system/messages",
  "domains/contract/successor/successor",
  "e2e/report/overview",
  "e2e/access/people",
  "platform/checks/security/files",
  "e2e/access/hall",
  "e2e/house/errors",
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
