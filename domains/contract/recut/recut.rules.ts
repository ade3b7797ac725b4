import { type Day, maxDay, minDay } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { type Bill, type Line as BillLine, isPayable, netOf } from "../../finance/bill/bill.rules.ts";
import type { NewLine } from "../../finance/bill/make.rules.ts";
import type { LineCut } from "../../finance/setoff/setoff.rules.ts";
import type { FeeKey, Line, PlannedBill, Slice } from "../schedule/line.rules.ts";
import { type Slots, bucketsOf, slotsOf } from "../act/bucket.rules.ts";

/** A bill of the new plan that is made: in place of a stored one, whose days it keeps, or because the term or its rooms grow. */
export type Making = {
  bill: PlannedBill;
  /** What it stands in for; its due day and late-fee terms stay unless those were amended. */
  instead: Bill | null;
  retermed: boolean;
  /** What earlier, paid periods cost more now. */
  surcharges: NewLine[];
};

/** What becomes of a bill. */
export const RECUTS = {
  void: ["作废", "grey"],
  anew: ["重出", "grey"],
  lower: ["调减", "grey"],
  raise: ["调增", "grey"],
  add: ["新增", "grey"],
} as const satisfies Words;

/** What happens to one bill, as people look at it. */
export type RecutRow = {
  billId: number | null;
  title: string;
  periodStart: Day;
  periodEnd: Day;
  /** Null: on signing of the supplement. */
  dueOn: Day | null;
  before: Fen;
  after: Fen;
  done: keyof typeof RECUTS;
  making: Making | null;
};

export type Recutting = {
  voided: number[];
  cuts: LineCut[];
  made: Making[];
  /** Surcharges that no open bill can take: a bill of their own. */
  alone: NewLine[];
  rows: RecutRow[];
  /** Subjects of planned lines that no stored line answers to, although they would have to be lowered. */
  missing: number;
};

type Plans = {
  old: readonly PlannedBill[];
  next: readonly PlannedBill[];
  /** The contract's bills, due day by due day. */
  bills: readonly Bill[];
  subjectOf: (key: FeeKey) => number;
  today: Day;
  /** The first day that costs something else. */
  changedFrom: Day;
  /** From this day on bills follow new due days and late-fee terms; null = they stay. */
  retermedFrom: Day | null;
};

const chargeable = (bill: PlannedBill | undefined): bill is PlannedBill =>
  Boolean(bill?.lines.some((l) => l.amount > 0));

const sameLines = (a: readonly Line[], b: readonly Line[]): boolean =>
  a.length === b.length &&
  a.every((line, i) => {
    const other = b[i]!;
    return (
      line.amount === other.amount &&
      line.from === other.from &&
      line.to === other.to &&
      line.roomId === other.roomId &&
      line.feeKey === other.feeKey
    );
  });

/**
 * Sets a new plan against the old one and says what happens to the bills that the old one became. A bill that nobody has
 * touched is written anew, so that its lines explain themselves; of one that has money or a correction on it the lines are
 * lowered, or raised while they are open; what a paid period costs more stands on the next open bill.
 */
export function recutOf({ old, next, bills, subjectOf, today, changedFrom, retermedFrom }: Plans): Recutting {
  const scheduled = bills.filter((b) => b.source === "schedule");
  const slots = slotsOf(old, subjectOf);
  const stored = bucketsOf(
    slots,
    scheduled.flatMap((bill) => bill.lines.filter(isPayable)),
  );
  const billOf = new Map(scheduled.map((b) => [b.id, b]));
  const before = new Map(old.map((b) => [b.key, b]));
  const after = new Map(next.map((b) => [b.key, b]));
  const out: Recutting = { voided: [], cuts: [], made: [], alone: [], rows: [], missing: 0 };
  const surcharges: NewLine[] = [];
  /** Bills that could take what paid periods cost more, once it is known. */
  const hosts: { due: Day; making: () => Making }[] = [];

  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(key);
    const will = after.get(key);
    const retermed = retermedFrom !== null && (will?.periodStart ?? "") >= retermedFrom;
    if (!was) {
      if (!chargeable(will)) continue;
      const making = { bill: will, instead: null, retermed, surcharges: [] };
      out.made.push(making);
      out.rows.push(rowOf(will, 0, will.amount, "add", making));
      continue;
    }
    const held = new Map([...slots.partsOf(was).keys()].map((part) => [part, stored.get(part) ?? []]));
    const clean = cleanBill(was, held, billOf, slots);
    const same = will && sameLines(was.lines, will.lines);
    const remake = (bill: PlannedBill, instead: Bill): Making => {
      const making = { bill, instead, retermed, surcharges: [] };
      out.voided.push(instead.id);
      out.made.push(making);
      out.rows.push(rowOf(bill, netBill(instead), bill.amount, "anew", making, instead));
      return making;
    };
    if (clean && (!same || retermed)) {
      if (chargeable(will)) {
        const making = remake(will, clean);
        if (was.kind !== "deposit" && clean.dueDate >= today)
          hosts.push({ due: clean.dueDate, making: () => making });
      } else {
        out.voided.push(clean.id);
        out.rows.push(rowOf(was, netBill(clean), 0, "void", null, clean));
      }
      continue;
    }
    if (same) {
      if (clean && will && was.kind !== "deposit" && clean.dueDate >= today)
        hosts.push({ due: clean.dueDate, making: () => remake(will, clean) });
      continue;
    }
    inPlace(was, will, held);
  }
  hosts.sort((a, b) => (a.due < b.due ? -1 : 1));
  if (surcharges.length) {
    if (hosts[0]) {
      const making = hosts[0].making();
      making.surcharges.push(...surcharges);
      const row = out.rows.find((r) => r.making === making)!;
      row.after += surcharges.reduce((sum, l) => sum + l.amount, 0);
    } else out.alone = surcharges;
  }
  out.rows.sort((a, b) => (a.periodStart < b.periodStart ? -1 : a.periodStart > b.periodStart ? 1 : 0));
  return out;

  /** The lines stay, each charge is brought to its new sum. */
  function inPlace(
    was: PlannedBill,
    will: PlannedBill | undefined,
    held: ReadonlyMap<string, BillLine[]>,
  ): void {
    const parts = slots.partsOf(was);
    const wanted = will ? slots.partsOf(will) : new Map<string, Line[]>();
    const changes = new Map<number, Fen>();
    for (const part of new Set([...parts.keys(), ...wanted.keys()])) {
      const from = parts.get(part) ?? [];
      const to = wanted.get(part) ?? [];
      const delta = sum(to) - sum(from);
      if (!delta) continue;
      const lines = held.get(part) ?? [];
      const slices = sliceChanges(from, to, changedFrom);
      const open = lines.find((l) => l.outstanding > 0);
      if (delta > 0 && !open) {
        const { feeKey, roomId } = (to[0] ?? from[0])!;
        surcharges.push(surchargeOf({ subject: subjectOf(feeKey), roomId, from, to, slices }));
        continue;
      }
      let rest = -delta;
      for (const line of delta > 0 ? [open!] : byOpen(lines)) {
        const back = delta > 0 ? rest : Math.min(rest, netOf(line) - line.writtenOff);
        if (!back) continue;
        rest -= back;
        out.cuts.push({
          lineId: line.id,
          back,
          slices: back === -delta ? slices : undefined,
          explain: { rule: "recut", before: netOf(line), amount: -back },
        });
        changes.set(line.billId, (changes.get(line.billId) ?? 0) - back);
      }
      if (rest > 0) out.missing++;
    }
    for (const [billId, change] of changes) {
      const bill = billOf.get(billId)!;
      const row = out.rows.find((r) => r.billId === billId);
      if (row) row.after += change;
      else
        out.rows.push(
          rowOf(was, netBill(bill), netBill(bill) + change, change < 0 ? "lower" : "raise", null, bill),
        );
    }
  }
}

const sum = (lines: readonly { amount: Fen }[]): Fen => lines.reduce((total, l) => total + l.amount, 0);
const netBill = (bill: Bill): Fen => bill.amount + bill.adjusted;

const rowOf = (
  planned: PlannedBill,
  before: Fen,
  after: Fen,
  done: RecutRow["done"],
  making: Making | null,
  bill?: Bill,
): RecutRow => ({
  billId: bill?.id ?? null,
  title: bill?.title ?? planned.title,
  periodStart: planned.periodStart,
  periodEnd: planned.periodEnd,
  dueOn: bill && !making?.retermed ? bill.dueDate : planned.onSigning ? null : planned.dueRuleDate,
  before,
  after,
  done,
  making,
});

/** Open lines first, the latest days before the others: what is not paid yet is lowered before anything goes back. */
const byOpen = (lines: readonly BillLine[]): BillLine[] =>
  lines.toSorted(
    (a, b) =>
      Number(b.outstanding > 0) - Number(a.outstanding > 0) ||
      ((a.periodStart ?? "") > (b.periodStart ?? "") ? -1 : 1),
  );

/** The stored bill of a planned one, if it is just that: nothing was paid, written off, invoiced, disputed or corrected. */
function cleanBill(
  was: PlannedBill,
  held: ReadonlyMap<string, BillLine[]>,
  billOf: ReadonlyMap<number, Bill>,
  slots: Slots,
): Bill | undefined {
  const lines = [...held.values()].flat();
  const ids = new Set(lines.map((l) => l.billId));
  const bill = ids.size === 1 ? billOf.get(lines[0]!.billId) : undefined;
  if (!bill || bill.settled || bill.writtenOff || bill.invoiced || bill.invoicing || bill.disputedFrom)
    return undefined;
  const own = new Set(lines.map((l) => l.id));
  const plain = bill.lines.every((l) =>
    isPayable(l) ? own.has(l.id) : l.kind === "normal" || l.kind === "adjust",
  );
  const parts = slots.partsOf(was);
  const asPlanned = [...held].every(
    ([key, ls]) => ls.reduce((total, l) => total + netOf(l), 0) === sum(parts.get(key) ?? []),
  );
  return plain && asPlanned ? bill : undefined;
}

/** By contract months: what each costs more or less, on its days from the change on. */
function sliceChanges(was: readonly Line[], will: readonly Line[], from: Day): Slice[] | undefined {
  const months: Slice[] = [];
  const put = (slice: Slice, sign: 1 | -1) => {
    const month = months.find((m) => m.from <= slice.from && slice.from <= m.to);
    if (!month) return void months.push({ ...slice, amount: sign * slice.amount });
    month.amount += sign * slice.amount;
    month.to = maxDay(month.to, slice.to);
  };
  for (const line of was) for (const slice of line.slices) put(slice, -1);
  for (const line of will) for (const slice of line.slices) put(slice, 1);
  const changed = months.filter((m) => m.amount !== 0);
  if (!changed.length) return undefined;
  return changed.map((m) => ({ ...m, from: maxDay(m.from, minDay(from, m.to)) }));
}

function surchargeOf(of: {
  subject: number;
  roomId: number | null;
  from: readonly Line[];
  to: readonly Line[];
  slices: Slice[] | undefined;
}): NewLine {
  const before = sum(of.from);
  const amount = sum(of.to) - before;
  const slices = of.slices ?? [];
  const days = slices.length ? slices : of.to;
  return {
    subject: of.subject,
    roomId: of.roomId,
    amount,
    periodStart: days[0]!.from,
    periodEnd: days.at(-1)!.to,
    slices,
    explain: { rule: "recut", before, amount },
    reason: "变更补收",
  };
}
