import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import {
  approves,
  type Dropped,
  money,
  type Outlook,
  waitsAt,
  type Wanted,
  words,
} from "../../approval/examine/registry.service.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { BILLS, FLOWS } from "../bill/bill.rules.ts";
import { voidBills } from "../bill/bill.service.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { billNote } from "../bill/keep.service.ts";
import { issueBills } from "../bill-acts/change.service.ts";
import { reverseFlow } from "./allocate.service.ts";
import { FLOW_DIRECTION, FLOW_MOVES, spanOf } from "./flow.rules.ts";
import { type Flow, lockFlow, noteMoney, readFlow } from "./flow.service.ts";
import {
  bookMissed,
  confirmFlow,
  type Missed,
  previewConfirm,
  previewEntry,
  wantedBills,
} from "./pending.service.ts";

/** What people know a flow by. */
async function factsOf(read: Read, flow: Flow): Promise<[string, string][]> {
  const { rows } = await sql<{ partyName: string | null; accountName: string }>`
    select p.name "partyName", a.name "accountName" from flow f join merchant_account a on a.id = f.merchant_account_id
    left join party p on p.id = f.party_id where f.id = ${flow.id}`.execute(read.tx);
  const { partyName, accountName } = rows[0]!;
  return [
    ["客户", partyName ?? "—"],
    ["方向", FLOW_DIRECTION[flow.direction][0]],
    ["账户", `${CHANNELS[flow.channel][0]} ${accountName}`],
    ["支付日", flow.paidOn],
  ];
}

const shown = (flow: Flow, title: string, facts: [string, string][], rows: [string, number][]): Outlook => ({
  title: `${title} ${flow.flowNo}`,
  number: flow.flowNo,
  villageId: flow.villageId,
  amount: flow.amount,
  values: { amount: flow.amount },
  facts,
  preview: [{ title, columns: [words("款项"), money("金额")], rows }],
  hash: basisHash([flow.id, rows]),
});

async function reverseOutlook(read: Read, { id }: Wanted): Promise<Outlook> {
  const flow = await readFlow(read, id);
  const why = FLOW_MOVES.refusal("reverse", flow);
  if (why) throw new Refusal("notAllowed", why);
  const rows: [string, number][] = [[flow.direction === "in" ? "冲回收款" : "冲回付款", flow.amount]];
  if (flow.allocated) rows.push(["退回未收", flow.allocated]);
  return shown(flow, "冲销流水", await factsOf(read, flow), rows);
}

/** A movement that somebody entered and that counts once it is agreed to; what became impossible is said. */
async function entryOutlook(read: Read, id: number, title: string): Promise<Outlook> {
  const flow = await readFlow(read, id);
  if (flow.status !== "approving" && flow.status !== "pending")
    throw new Refusal("notAllowed", "该流水已处理，请重新登记");
  if (flow.direction === "out") await previewEntry(read, flow);
  const what = flow.direction === "in" ? "收款" : "付款";
  return shown(flow, title, await factsOf(read, flow), [[what, flow.amount]]);
}

async function setState(act: Act, id: number, state: string, reason?: string): Promise<void> {
  await act.tx
    .updateTable("flow")
    .set({ state, version: NEXT_VERSION, ...(reason !== undefined && { reverseReason: reason }) })
    .where("id", "=", id)
    .execute();
}

/** The last approval is the second person: the movement is confirmed by what it does then. */
async function agreed(act: Act, { id }: Wanted): Promise<void> {
  const flow = await lockFlow(act, id);
  if (flow.status !== "approving") throw notFound();
  await setState(act, id, "pending");
  if (flow.direction === "out") await owe(act, wantedBills(flow));
  const { hash } = await previewConfirm(act, id);
  await confirmFlow(act, id, hash, true);
  const what = flow.direction === "in" ? "收款" : "付款";
  await noteMoney(act, flow, "确认", `审批通过，${what} ${yuan(flow.amount)}`);
}

async function notAgreed(act: Act, { id }: Wanted, { why }: { state: Dropped; why: string }): Promise<void> {
  const flow = await lockFlow(act, id);
  if (flow.status !== "approving") return;
  await setState(act, id, "rejected", why || "审批未通过");
  await noteMoney(act, flow, "驳回", `驳回 ${yuan(flow.amount)}`, why || "审批未通过");
  if (flow.direction === "out") await dropCosts(act, wantedBills(flow), why);
}

/** What was agreed to is owed from now on (E25). */
async function owe(act: Act, billIds: readonly number[]): Promise<void> {
  const bills = await lockBills(act, billIds);
  const { subjects } = await aroundOf(
    act,
    bills.map((bill) => bill.villageId),
  );
  const owed = await issueBills(act, bills, subjects);
  await act.note(owed.map((bill) => billNote(bill, "入账", `审批通过，应付 ${yuan(bill.amount)}`)));
}

/** What nobody agreed to was never owed. */
async function dropCosts(act: Act, billIds: readonly number[], why: string): Promise<void> {
  const waiting = (await lockBills(act, billIds)).filter((bill) => !bill.issuedAt && !bill.voidedAt);
  await voidBills(
    act,
    waiting.map((bill) => bill.id),
    why || "审批未通过",
  );
}

async function costOutlook(read: Read, id: number): Promise<Outlook> {
  const [bill] = await readBills(read, [id]);
  if (!bill || bill.issuedAt || bill.voidedAt) throw new Refusal("notAllowed", "该成本已处理，请重新登记");
  const { name } = await theRow(read, "party", ["name"], { id: bill.partyId });
  const rows = [[bill.title, bill.amount]];
  return {
    title: `登记成本 ${bill.billNo}`,
    number: bill.billNo,
    opens: { page: BILLS, id },
    villageId: bill.villageId,
    amount: bill.amount,
    values: { amount: bill.amount },
    facts: [
      ["收款人", name],
      ["归属期", spanOf(bill.periodStart!, bill.periodEnd!)],
      ["应付日", bill.dueDate],
    ],
    preview: [{ title: "应付成本", columns: [words("费用"), money("金额")], rows }],
    hash: basisHash([id, rows]),
  };
}

const OF_FLOWS = {
  group: "财务",
  kind: "flow",
  page: FLOWS,
  permit: "102.query",
  fields: [{ key: "amount", title: "金额", kind: "money" }],
} as const;

approves({
  ...OF_FLOWS,
  type: "flowReverse",
  title: "冲销流水",
  outlook: reverseOutlook,
  effect: async (act, { id, reason }) => {
    const flow = await reverseFlow(act, id, reason);
    await noteMoney(act, flow, "冲销", `冲销 ${yuan(flow.amount)}`, reason);
  },
});
approves({
  ...OF_FLOWS,
  type: "flowPatch",
  title: "补录流水",
  outlook: (read, { id }) => entryOutlook(read, id, "补录流水"),
  effect: agreed,
  dropped: notAgreed,
});
/** A cost that is paid waits with its payment, one that is not by itself. */
const OF_BILL = { kind: "bill" } as const;
const isBill = ({ payload }: Wanted) => (payload as Partial<typeof OF_BILL>).kind === OF_BILL.kind;
approves({
  ...OF_FLOWS,
  type: "cost",
  title: "支出",
  outlook: (read, wanted) =>
    isBill(wanted) ? costOutlook(read, wanted.id) : entryOutlook(read, wanted.id, "成本付款"),
  effect: (act, wanted) => (isBill(wanted) ? owe(act, [wanted.id]) : agreed(act, wanted)),
  dropped: (act, wanted, end) =>
    isBill(wanted) ? dropCosts(act, [wanted.id], end.why) : notAgreed(act, wanted, end),
});

type Proposed = { id: number; villageId: number; reason: string };

async function entryWaits(
  act: Act,
  type: "flowPatch" | "cost",
  { id, villageId, reason }: Proposed,
): Promise<string | null> {
  const { waiting } = await propose(act, type, [{ recordId: id, villageId, payload: {}, reason }]);
  if (!waiting[0]) return null;
  await setState(act, id, "approving");
  return waiting[0].examineNo;
}

/** A missed movement waits for a second person, or for approval where a process says so: its number then. */
export async function patchFlow(act: Act, missed: Missed) {
  const made = await bookMissed(act, missed);
  const reason = missed.remark || "补录流水";
  const waiting = await entryWaits(act, "flowPatch", { id: made.id, villageId: missed.villageId, reason });
  return { ...made, waiting };
}

/** Whether a cost, or the payment of one, needs approval. */
export const costWaits = async (act: Act, villageId: number, amount: Fen): Promise<boolean> =>
  (await waitsAt(act, "cost", villageId, { amount })).length > 0;

/** Proposes a cost that is to be paid later: the number of the approval. */
export async function proposeCost(
  act: Act,
  of: { id: number; villageId: number; reason: string; fileIds: readonly number[] },
): Promise<string> {
  const { id: recordId, villageId, reason, fileIds } = of;
  const proposal = { recordId, villageId, ...OF_BILL, payload: OF_BILL, reason, fileIds };
  const { waiting } = await propose(act, "cost", [proposal]);
  return waiting[0]!.examineNo;
}

/** Enters the payment of a cost that needs approval; nothing where it may be paid at once. */
export async function proposePayment(
  act: Act,
  payment: Omit<Missed, "direction" | "partyId"> & { billId: number },
): Promise<{ id: number; flowNo: string; waiting: string } | undefined> {
  const { villageId, amount, remark } = payment;
  if (!(await costWaits(act, villageId, amount))) return undefined;
  const made = await bookMissed(act, { ...payment, direction: "out" });
  const waiting = await entryWaits(act, "cost", { id: made.id, villageId, reason: remark || "支付成本" });
  return { ...made, waiting: waiting! };
}

/** Reverses a flow, or proposes it where a process says so: the number of the approval then. */
export async function proposeReversal(act: Act, flow: Flow, reason: string): Promise<string | null> {
  const { id, villageId } = flow;
  const { waiting } = await propose(act, "flowReverse", [{ recordId: id, villageId, payload: {}, reason }]);
  if (waiting[0]) return waiting[0].examineNo;
  const reversed = await reverseFlow(act, id, reason);
  await noteMoney(act, reversed, "冲销", `冲销 ${yuan(flow.amount)}`, reason);
  return null;
}
