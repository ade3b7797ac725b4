import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import type { Outlook } from "../../approval/examine/registry.service.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { moveRefund, noteRefund } from "./move.service.ts";
import type { payeeOf } from "./plan.service.ts";
import type { Refund } from "./refund.queries.ts";
import { REFUND_MOVES, REFUND_SOURCE, ROUTES, type Route } from "./refund.rules.ts";

/** The way that the money goes from now on, and to whom. */
export type Way = Awaited<ReturnType<typeof payeeOf>> & { route: Route };

/** What an approval of a refund is of: the refund, or another payee of one that is owed already. */
export const isOfPayee = (payload: unknown): boolean => (payload as { payee?: true }).payee === true;

const wayOf = async (read: Pick<Read, "tx">, refundId: number): Promise<Way> => {
  const columns = ["route", "payeeName", "payeeBank", "payeeAccount", "payeeTail", "relation"] as const;
  const row = await theRow(read, "refundPayee", [...columns], { refundId });
  return { ...row, route: row.route as Route };
};

/** Another way, or another account, for what has not been paid. */
export async function takeWay(act: Act, r: Refund, way: Way): Promise<void> {
  const state = REFUND_MOVES.next("reroute", r);
  await act.tx
    .updateTable("refundAttempt")
    .set({ state: "replaced" })
    .where("refundId", "=", r.id)
    .where("state", "=", "failed")
    .execute();
  await act.tx.deleteFrom("refundPayee").where("refundId", "=", r.id).execute();
  const { route } = r;
  const to = way.payeeName === r.payeeName ? "" : `，收款人 ${r.payeeName} → ${way.payeeName}`;
  await moveRefund(act, r, state, { ...way, filedAt: null, failure: "" });
  await noteRefund(
    act,
    r,
    "更换方式",
    `${ROUTES[route][0]} → ${ROUTES[way.route][0]}${to}，${yuan(r.amount - r.paid)} 元待支付`,
  );
}

/** Another payee waits where a process says so: answers the number of the approval, or null where it may be done at once. */
export async function proposePayee(act: Act, r: Refund, way: Way): Promise<string | null> {
  await act.tx
    .insertInto("refundPayee")
    .values({ refundId: r.id, ...way })
    .onConflict((on) => on.column("refundId").doUpdateSet(way))
    .execute();
  const reason = `更换收款人：${r.payeeName} → ${way.payeeName}`;
  const { waiting } = await propose(act, "refund", [
    { recordId: r.id, villageId: r.villageId, payload: { payee: true }, reason },
  ]);
  const [one] = waiting;
  if (one) await noteRefund(act, r, "更换收款人", `${r.payeeName} → ${way.payeeName}，等待审批`);
  return one?.examineNo ?? null;
}

/** Approved, the money goes there. */
export const takeProposed = async (act: Act, r: Refund): Promise<void> =>
  takeWay(act, r, await wayOf(act, r.id));

export async function payeeOutlook(read: Read, r: Refund): Promise<Outlook> {
  const why = REFUND_MOVES.refusal("reroute", r);
  if (why || !(await aRow(read, "refundPayee", ["refundId"], { refundId: r.id })))
    throw new Refusal("notAllowed", "该退款已处理");
  const way = await wayOf(read, r.id);
  const left = r.amount - r.paid;
  const other = way.payeeName !== r.partyName;
  return {
    title: `退款 ${r.refundNo} 更换收款人`,
    number: r.refundNo,
    villageId: r.villageId,
    amount: left,
    values: { amount: left, otherPayee: other ? 1 : 0 },
    facts: [
      ["客户", r.partyName],
      ["来源", REFUND_SOURCE[r.source][0]],
      ["方式", ROUTES[way.route][0]],
      ["原收款人", r.payeeName],
      ["收款人", other ? `${way.payeeName}（${way.relation}）` : way.payeeName],
      ["收款账号", way.payeeTail ? `${way.payeeBank} ****${way.payeeTail}` : ""],
      ["原因", r.reason],
    ],
    preview: [],
    hash: basisHash([r.id, left, way.route, way.payeeName, way.payeeBank, way.payeeTail, way.relation]),
  };
}
