import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What takes longest, longest first, as the end of a run tells it; where several run side by side, none of these may be left
 * for the end.
 */
const LONG = [
  "e2e/house/every-screen",
  "e2e/house/every-role",
  "e2e/house/killed",
  "e2e/house/first-day",
  "platform/server/process/start",
  "platform/checks/calls/extremes",
  "platform/checks/security/enterprises",
  "e2e/listing/sync",
  "platform/checks/new",
  "e2e/contract/esign",
  "e2e/finance/month-end",
  "platform/server/jobs/jobs",
  "e2e/house/readable",
  "e2e/house/errors",
  "platform/checks/security/strangers",
  "demo/demo",
  "platform/server/backup/backup",
  "platform/checks/calls/every-call",
  "e2e/finance/cashiers-day",
  "e2e/access/people",
  "e2e/customer/parties",
  "e2e/report/overview",
  "platform/checks/calls/every-list",
  "e2e/system/messages",
  "e2e/access/hall",
  "platform/checks/security/files",
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
