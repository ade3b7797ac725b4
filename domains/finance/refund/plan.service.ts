import { createHash } from "node:crypto";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { askedFor, heldOf, originsOf, type Holding } from "./held.queries.ts";
import { partsOf, proposedRoute, whyNotRoute, type Part, type Proposal, type Route } from "./refund.rules.ts";

/** What a refund would take and how it would go back, before and after it is written. */
export type Plan = Proposal & {
  held: Fen;
  /** Held less what other applications ask for. */
  available: Fen;
  parts: Part[];
  routes: { route: Route; why: string }[];
  hash: string;
};

/** Money that no flow accounts for was there before the take-over. */
const unknown = (amount: Fen, paidOn: Day): Part => ({
  flowId: null,
  flowNo: "",
  channel: "",
  coded: false,
  paidOn,
  available: amount,
  rest: amount,
  times: 0,
  amount,
});

/** The parts of an amount, the newest money first. */
export async function planParts(read: Read, of: Holding, amount: Fen, lock = false): Promise<Part[]> {
  const parts = partsOf(await originsOf(read, of, lock), amount);
  const left = amount - parts.reduce((sum, part) => sum + part.amount, 0);
  return left > 0 ? [...parts, unknown(left, read.today)] : parts;
}

export async function planOf(read: Read, of: Holding, amount: Fen, except = 0): Promise<Plan> {
  const held = await heldOf(read, of);
  const available = Math.max(0, held - (await askedFor(read, of, except)));
  const parts = amount > 0 ? await planParts(read, of, Math.min(amount, held)) : [];
  const cashLimit = await cashLimitOf(read, of.villageId);
  const asked = { parts, amount, today: read.today, cashLimit };
  const routes = (["channel", "bank", "cash"] as const).map((route) => ({
    route,
    why: whyNotRoute(route, asked) ?? "",
  }));
  const basis = [of, amount, available, parts.map((part) => [part.flowId, part.amount])];
  const hash = createHash("sha256").update(JSON.stringify(basis)).digest("hex");
  return { ...proposedRoute(parts, read.today), held, available, parts, routes, hash };
}

export async function cashLimitOf(read: Read, villageId: number): Promise<Fen> {
  const settings = await settingsOf(read, [villageId]);
  return settings(villageId).cashRefundLimit;
}
