import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What takes longest, longest first, as the end of a run tells it; where several run side by side, none of these may be left
 * for the end.
 */
const LONG = [
  "e2e/house/every-screen",
  "e2e/house/every-role",
  "platform/server/process/start",
  "e2e/house/killed",
  "e2e/customer/parties",
  "platform/checks/security/enterprises",
  "e2e/finance/month-end",
  "e2e/house/readable",
  "e2e/listing/price-change",
  "e2e/listing/sync",
  "platform/server/backup/backup",
  "e2e/report/overview",
  "e2e/finance/cashiers-day",
  "platform/checks/calls/extremes",
  "platform/checks/new",
  "e2e/system/messages",
  "e2e/house/errors",
  "e2e/customer/customers",
  "platform/checks/calls/every-call",
  "e2e/house/first-day",
  "e2e/listing/price-approval",
  "e2e/house/frame",
  "platform/server/postgres/postgres",
  "e2e/access/people",
  "e2e/customer/reserve",
  "e2e/access/hall",
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
