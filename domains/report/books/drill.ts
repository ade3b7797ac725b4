import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Account } from "./books.rules.ts";

export const BOOKS = "/report/FinancePage";

export type Shown = { villageIds: string | null; from: string; to: string };

/** The entries of an account in a period. */
export const entriesOf = (account: Account | string, { villageIds, from, to }: Shown): string =>
  pathTo(BOOKS, { list: "journal", account, villageIds, from, to });

/** Where a line of 总表 is looked at more closely: the report of just this where there is one, else its entries. */
export function placeOf(key: string, account: Account | null, shown: Shown): string | undefined {
  const report = REPORTS[key];
  const { villageIds, from, to } = shown;
  return (
    (report && reach(report, { villageIds, from, to })) ?? (account ? entriesOf(account, shown) : undefined)
  );
}
const REPORTS: Readonly<Record<string, string>> = {
  received: "/report/dailyCollectionReport",
};
