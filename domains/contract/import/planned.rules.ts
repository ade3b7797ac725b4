import { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { FirmRow } from "../../customer/import/columns.rules.ts";
import type { OpenBill } from "../../finance/opening/opening.rules.ts";
import { roomsText } from "../contract/contract.rules.ts";
import { restAfter } from "../schedule/bills.rules.ts";
import { dueOn } from "../schedule/slot.rules.ts";
import { scheduleErrors } from "../terms/check.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import type { ColumnKey } from "./columns.rules.ts";
import type { ContractRow } from "./row.rules.ts";
import type { Wrong } from "../../system/import/value.rules.ts";

export const villageTotals = z.object({
  villageName: f.text("门店"),
  contracts: f.number("合同"),
  monthlyRent: f.money("月租金"),
  deposit: f.money("在管押金"),
  /** What the terms say, to see at once where less is held. */
  agreed: f.money("约定押金"),
  arrears: f.money("欠费"),
  prepaid: f.money("预存款"),
  /** Bills of periods after the paid-to day that fall due by the day of the import: not among the arrears. */
  dueNow: f.money("已到应收日", { help: "已付至之后、应收日已到的账单，导入后即为应收；不应再填在欠费里" }),
  bills: f.number("待出账单"),
  newTenants: f.number("新建租客"),
  /** Where a contract may have several. */
  rooms: f.number("房间").optional(),
});
export type VillageTotals = z.output<typeof villageTotals>;
/** Its sums; what the operator's own sheet has stands first. */
export const SUMS = [
  "contracts",
  "deposit",
  "arrears",
  "prepaid",
  "monthlyRent",
  "agreed",
  "dueNow",
  "bills",
  "newTenants",
] as const;
export const importTotals = z.object({ villages: z.array(villageTotals), sum: villageTotals });
export type ImportTotals = z.output<typeof importTotals>;

/** A room that a contract lets, and its monthly rent. */
export type Let = { id: number; name: string; rent: Fen };

/** A row that can be taken: which rooms, which tenant, which terms, and what follows from them. */
export type Planned = {
  n: number;
  row: ContractRow;
  villageId: number;
  villageName: string;
  /** The first of them is that of the row itself. */
  rooms: readonly Let[];
  roomName: string;
  person: Person;
  terms: Terms;
  /** Its open bills of before, and what they come to. */
  owed: readonly OpenBill[];
  /** The rows beside its own that bring them, and its further rooms. */
  further: readonly number[];
  arrears: Fen;
  /** The deposit the terms agree on, the bills to come, and what of them is due by today. */
  agreed: Fen;
  bills: number;
  dueNow: Fen;
};

/** One tenant of the file: known already, or to be made once however many rows name them. */
export type Person = { partyId: number } | { key: string; firm?: FirmRow };

type Around = {
  n: number;
  terms: Terms;
  propertyId: number | undefined;
  propertyName: string;
  villageName: string;
  place: { id: number; villageId: number; name: string };
  /** Rooms of further rows, and the row of each. */
  further?: readonly (Let & { row: number })[];
  person: Person;
  owed: { bills: readonly OpenBill[]; further: readonly number[] } | undefined;
  today: Day;
};

/** Under which column a term's own refusal stands. */
const COLUMN_OF: readonly (readonly [RegExp, ColumnKey])[] = [
  [/^start/, "start"],
  [/^end/, "end"],
  [/^rooms/, "rent"],
  [/^due/, "due"],
  [/^deposit|^cycleMonths/, "pay"],
  [/^fees/, "property"],
  [/^basis/, "basis"],
];

/** The village's own terms with what the row says instead. */
function termsFor(row: ContractRow, { terms, propertyId, propertyName }: Around): Terms {
  return {
    ...terms,
    pricing: "month",
    basis: row.basis ?? (terms.basis === "area" ? "actual" : terms.basis),
    calendarPeriods: row.calendarPeriods ?? terms.calendarPeriods,
    cycleMonths: row.pay.cycleMonths,
    deposit: { mode: "months", months: row.pay.depositMonths },
    due: row.due ? { ...row.due, firstDueDays: terms.due.firstDueDays } : terms.due,
    ...(row.billPerRoom && { billPerRoom: true }),
    ...(row.openOn && { openOn: row.openOn }),
    stepRule: null,
    steps: [],
    rentFree: [],
    fees:
      row.property && propertyId
        ? [
            {
              feeId: propertyId,
              name: propertyName,
              kind: "recurring",
              amount: row.property,
              cycleMonths: row.pay.cycleMonths,
              prorate: true,
            },
          ]
        : [],
  };
}

export function planRow(
  row: ContractRow,
  around: Around,
): { planned: Planned } | { wrong: Wrong<ColumnKey>[] } {
  const terms = termsFor(row, around);
  const { id, name } = around.place;
  const beside = around.further ?? [];
  const rooms = [
    { id, name, rent: row.rent },
    ...beside.map((room) => ({ id: room.id, name: room.name, rent: room.rent })),
  ];
  const input = scheduleOf({
    start: row.start,
    end: row.end,
    terms,
    rooms: rooms.map((room) => ({ roomId: room.id, monthlyRent: room.rent, unitPrice: null, area: null })),
  });
  const errors = scheduleErrors(terms, input);
  if (errors.length)
    return {
      wrong: errors.map(({ field, msg }) => ({
        key: COLUMN_OF.find(([pattern]) => pattern.test(field))?.[1] ?? "pay",
        msg,
      })),
    };
  const { bills: owed, further } = around.owed ?? { bills: [], further: [] };
  const plan = restAfter(input, row.paidTo);
  const due = plan.bills.filter(
    (bill) => dueOn(bill, row.signedOn, terms.due.firstDueDays ?? 0) <= around.today,
  );
  return {
    planned: {
      n: around.n,
      row,
      villageId: around.place.villageId,
      villageName: around.villageName,
      rooms,
      roomName: roomsText(rooms.map((room) => room.name).join("、")),
      person: around.person,
      terms,
      owed,
      further: [...beside.map((room) => room.row), ...further],
      arrears: owed.reduce((sum, bill) => sum + bill.amount, 0),
      agreed: plan.totals.deposit,
      bills: plan.bills.length,
      dueNow: due.reduce((sum, bill) => sum + bill.amount, 0),
    },
  };
}

/**
 * What the operator compares with the sheet the file was made from. A tenant of two rows is made once. Rooms are counted
 * where a contract may have `several`.
 */
export function totalsFor(planned: readonly Planned[], several = false): ImportTotals {
  const made = new Set<string>();
  const villages = [...Map.groupBy(planned, (p) => p.villageId).values()].map((rows): VillageTotals => {
    const sum = (of: (p: Planned) => number) => rows.reduce((total, p) => total + of(p), 0);
    let newTenants = 0;
    for (const { person } of rows)
      if ("key" in person && !made.has(person.key)) {
        made.add(person.key);
        newTenants++;
      }
    return {
      villageName: rows[0]!.villageName,
      contracts: rows.length,
      monthlyRent: sum((p) => p.rooms.reduce((rent, room) => rent + room.rent, 0)),
      deposit: sum((p) => p.row.deposit),
      agreed: sum((p) => p.agreed),
      arrears: sum((p) => p.arrears),
      prepaid: sum((p) => p.row.prepaid),
      dueNow: sum((p) => p.dueNow),
      bills: sum((p) => p.bills),
      newTenants,
      ...(several && { rooms: sum((p) => p.rooms.length) }),
    };
  });
  const keys = several ? ([...SUMS, "rooms"] as const) : SUMS;
  const sums = keys.map((key) => [key, villages.reduce((total, v) => total + (v[key] ?? 0), 0)]);
  const sum = Object.fromEntries(sums) as Record<(typeof SUMS)[number], number>;
  return { villages, sum: { villageName: "合计", ...sum } };
}
