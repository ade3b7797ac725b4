import { stamp } from "../../../platform/server/database/versioned.ts";
import { onceIn } from "../../../platform/server/database/once.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { Carrier } from "../../system/file/file.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { refundChanged } from "./refund.contract.ts";
import type { Refund } from "./refund.queries.ts";
import type { RefundState } from "./refund.rules.ts";

type Noted = Pick<Refund, "id" | "refundNo" | "villageId" | "partyId" | "contractId">;

/** The same line on the timelines of the refund, its contract and its customer. */
export async function noteRefund(act: Act, of: Noted, action: string, summary: string): Promise<void> {
  const entry = { number: of.refundNo, villageId: of.villageId, action };
  const party = await onceIn(act, `kind of party ${of.partyId}`, () =>
    aRow(act, "party", ["kind"], { id: of.partyId }),
  );
  const said = `退款 ${of.refundNo} ${summary}`;
  await act.note([
    { ...entry, kind: "refund", recordId: of.id, summary },
    { ...entry, kind: party!.kind, recordId: of.partyId, summary: said },
    ...(of.contractId ? [{ ...entry, kind: "contract", recordId: of.contractId, summary: said }] : []),
  ]);
}

/** Its papers: whoever applies and whoever pays read them. */
export const paperOf = ({ id, villageId }: Pick<Noted, "id" | "villageId">): Carrier => ({
  targetKind: "refund",
  targetId: id,
  villageId,
  needs: ["108.get", "244.get"],
});

export type RefundSet = Partial<{
  route: string;
  routeNote: string;
  payeeName: string;
  payeeBank: string;
  payeeTail: string;
  payeeAccount: Buffer | null;
  relation: string;
  approvedAt: string;
  paidAt: string | null;
  paidOn: string | null;
  paid: number;
  flowId: number | null;
  filedAt: string | null;
  failure: string;
  endReason: string;
}>;

/** Nothing is to be paid of it any more. */
const OVER: ReadonlySet<RefundState> = new Set(["paid", "cancelled", "rejected"]);

/** Writes a move of a locked refund; whoever waits for its end hears of it, and that it came back. */
export async function moveRefund(
  act: Act,
  r: Refund,
  state: RefundState,
  set: RefundSet = {},
): Promise<void> {
  await act.tx
    .updateTable("refund")
    .set({ ...set, state, version: r.version + 1, ...stamp(act) })
    .where("id", "=", r.id)
    .execute();
  if (OVER.has(r.status) !== OVER.has(state)) await act.emit(refundChanged, { id: r.id });
  r.status = state;
  r.version += 1;
}

/** Who applied and who sent it hear that it failed. */
export async function tellFailed(act: Act, r: Refund, why: string): Promise<void> {
  const senders = await act.tx
    .selectFrom("refundAttempt")
    .select("createdBy")
    .distinct()
    .where("refundId", "=", r.id)
    .execute();
  await tell(act, {
    to: [r.createdBy, ...senders.map((row) => row.createdBy)].filter((id) => id !== null),
    type: 2,
    title: `退款失败：${r.partyName}`,
    content: `${r.refundNo} ${why}。请在退款管理中重试或更换退款方式。`,
    bizType: "refund",
    bizId: r.id,
    villageId: r.villageId,
    once: `refund.failed.${r.id}.${r.version}`,
  });
}
