import { createHash } from "node:crypto";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Bill } from "../bill/bill.rules.ts";
import type { Around, Paid } from "../bill/bills.queries.ts";
import { openLinesOf, type OpenLine } from "../bill/open.queries.ts";
import { type Paying, type Want, keyOf, payFrom } from "./allocation.rules.ts";

/** Money that can pay: a flow (or NO_FLOW), or (`flowId` null) the receipt being booked. Each counts on its own day. */
export type PlanSource = { flowId: number | null; available: Fen; paidOn: Day };
/** What one source pays. */
export type Stage = PlanSource & { paying: Paying[] };

export type PlanRow = OpenLine & { pay: Fen };
export type Plan = {
  rows: PlanRow[];
  stages: Stage[];
  /** Late fee that is written when this is carried out, by bill. */
  frozen: { billId: number; billNo: string; amount: Fen }[];
  /** Planned bills that enter the ledger because they are paid. */
  issued: { billId: number; billNo: string }[];
  paid: Fen;
};

/**
 * Works out what the sources would pay of some bills (read, or locked), first source first. Without an amount a want
 * is paid as far as the money goes. Each source meets the late fee as of its own day: money that came earlier owes less.
 */
export async function planOf(
  read: Read,
  bills: readonly Bill[],
  wants: readonly Want[],
  sources: readonly PlanSource[],
  around: Around,
): Promise<Plan> {
  const open = new Map(wants.map((w) => [keyOf(w), w.amount ?? Number.MAX_SAFE_INTEGER]));
  const paid: Paid[] = [];
  const pays = new Map<string, Fen>();
  const stages: Stage[] = [];
  const frozen = new Map<number, Fen>();
  let rows: OpenLine[] = [];
  for (const source of sources) {
    rows = await openLinesOf(read, bills, source.paidOn, { ...around, paid });
    const left = rows.map((line) => ({ ...line, owed: line.owed - (pays.get(keyOf(line)) ?? 0) }));
    const { paying } = payFrom(left, open, source.available);
    stages.push({ ...source, paying });
    for (const pay of paying) {
      pays.set(keyOf(pay), (pays.get(keyOf(pay)) ?? 0) + pay.amount);
      if (pay.lineId !== null) paid.push({ lineId: pay.lineId, day: source.paidOn, amount: pay.amount });
      const grown = rows.find((l) => l.billId === pay.billId && l.lineId === null);
      if (grown && (pay.lineId === null || freezesOnPayment(grown.villageId, around)))
        frozen.set(pay.billId, grown.owed);
    }
  }
  return answer(bills, wants, rows, { stages, pays, frozen });
}

/** Whether paying principal writes the late fee down, or only the month's run does. */
export const freezesOnPayment = (villageId: number, { settings }: Around): boolean =>
  settings(villageId).lateFeeFreeze === "onPayment";

function answer(
  bills: readonly Bill[],
  wants: readonly Want[],
  lines: readonly OpenLine[],
  made: { stages: Stage[]; pays: ReadonlyMap<string, Fen>; frozen: ReadonlyMap<number, Fen> },
): Plan {
  const { stages, pays, frozen } = made;
  const wanted = new Set(wants.map(keyOf));
  const numberOf = (id: number) => bills.find((b) => b.id === id)!.billNo;
  const touched = new Set(stages.flatMap((s) => s.paying.map((p) => p.billId)));
  return {
    rows: lines
      .filter((line) => wanted.has(keyOf(line)) || pays.has(keyOf(line)))
      .map((line) => ({ ...line, pay: pays.get(keyOf(line)) ?? 0 })),
    stages,
    frozen: [...frozen].map(([billId, amount]) => ({ billId, billNo: numberOf(billId), amount })),
    issued: bills
      .filter((bill) => touched.has(bill.id) && !bill.issuedAt)
      .map(({ id, billNo }) => ({ billId: id, billNo })),
    paid: [...pays.values()].reduce((sum, fen) => sum + fen, 0),
  };
}

/** SHA-256 over everything the amounts rest on; equal hashes mean that nothing changed in between. */
export function hashOfPlan(plan: Plan, bills: readonly Bill[], inputs: object): string {
  const basis = {
    inputs,
    bills: bills.map((b) => [b.id, b.version, b.outstanding]),
    rows: plan.rows.map((r) => [r.billId, r.lineId, r.owed, r.pay]),
    stages: plan.stages.map((s) => [
      s.flowId,
      s.available,
      s.paidOn,
      s.paying.map((p) => [keyOf(p), p.amount]),
    ]),
    frozen: plan.frozen.map((f) => [f.billId, f.amount]),
  };
  return createHash("sha256").update(JSON.stringify(basis)).digest("hex");
}
