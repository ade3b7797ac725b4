import type { Reply } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { ACCOUNT_KIND, allAccounts } from "./account.contract.ts";

type Account = Reply<typeof allAccounts>[number];

/** Receiving accounts in scope, for a filter. */
export const ACCOUNTS: Source = {
  call: allAccounts,
  option: ((a: Account) => ({ value: a.id, label: a.name, note: ACCOUNT_KIND[a.kind][0] })) as never,
};
