import type { Adapter, Outcome } from "./adapter.service.ts";
import { push } from "./push.service.ts";
import type { AdapterName } from "./words.rules.ts";

const stands: Outcome = { ok: true, answer: "" };

/** The built-in feed: others fetch it at its address, so there is nobody to tell. */
const feed: Adapter = {
  direct: true,
  check: async () => ({ ok: true, answer: "数据源地址可用" }),
  publish: async () => stands,
  update: async () => stands,
  withdraw: async () => stands,
  fetchLeads: async () => [],
};

export const ADAPTERS_BY_NAME: Record<AdapterName, Adapter> = { feed, httpPush: push };
