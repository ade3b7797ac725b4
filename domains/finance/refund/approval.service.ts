import { createHash } from "node:crypto";
import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { approves, type Outlook, type Wanted } from "../../approval/examine/registry.service.ts";
import { approveNow } from "./approve.service.ts";
import { heldOf } from "./held.queries.ts";
import { planParts } from "./plan.service.ts";
import { readRefund, type Refund } from "./record.queries.ts";
import { REFUND_SOURCE, ROUTES } from "./refund.rules.ts";

async function outlookOf(read: Read, { id }: Wanted): Promise<Outlook> {
  const r = await readRefund(read, id);
  if (!r) throw notFound();
  if (r.status !== "applied" && r.status !== "approving") throw new Refusal("notAllowed", "该退款已处理");
  const held = await heldOf(read, r);
  const parts = await planParts(read, r, Math.min(r.amount, held));
  const other = r.payeeName !== r.partyName;
  return {
    title: `退款 ${r.refundNo}`,
    number: r.refundNo,
    villageId: r.villageId,
    amount: r.amount,
    values: { amount: r.amount, otherPayee: other ? 1 : 0 },
    facts: [
      ["客户", r.partyName],
      ["来源", REFUND_SOURCE[r.source][0]],
      ["在管余额", `${yuan(held)} 元`],
      ["方式", ROUTES[r.route][0]],
      ["收款人", other ? `${r.payeeName}（${r.relation}）` : r.payeeName],
      ["原因", r.reason],
    ],
    preview: [
      {
        title: "退回的款项",
        columns: [
          { title: "原流水", kind: "text" },
          { title: "支付日", kind: "text" },
          { title: "退款金额", kind: "money" },
        ],
        rows: parts.map((part) => [part.flowNo || "期初余额", part.paidOn, part.amount]),
      },
    ],
    hash: createHash("sha256")
      .update(JSON.stringify([id, r.amount, held >= r.amount]))
      .digest("hex"),
  };
}

approves({
  type: "refund",
  title: "退款",
  group: "财务",
  kind: "refund",
  page: "/accountManage/RefundManage",
  permit: "108.query",
  fields: [
    { key: "amount", title: "金额", kind: "money" },
    { key: "otherPayee", title: "收款人与客户不一致", kind: "flag" },
  ],
  outlook: outlookOf,
  effect: async (act: Act, { id }) => {
    const r = await readRefund(act, id, true);
    if (!r) throw notFound();
    await approveNow(act, r);
  },
});

/** A refund waits where a process says so: answers the number of the approval, or null. */
export async function proposeRefund(act: Act, r: Refund): Promise<string | null> {
  const { waiting } = await propose(act, "refund", [
    { recordId: r.id, villageId: r.villageId, payload: {}, reason: r.reason },
  ]);
  return waiting[0]?.examineNo ?? null;
}
