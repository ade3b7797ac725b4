import { yuan } from "../../../platform/kernel/fen.ts";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import type { Card } from "../../../platform/console/list/cards.tsx";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Row as RowOf } from "../../../platform/console/list/list-schema.ts";
import { Amount } from "../lock/lock.panel.tsx";
import type { owingReport } from "./owing.contract.ts";
import { AGES, billListOf, dueOf, type Age, type Mode } from "./owing.rules.ts";

export type Row = RowOf<typeof owingReport>;
type Around = {
  day: string;
  /** Nobody asked for a past day: the bill list shows the same bills. */
  today: boolean;
  /** The filters of the report. */
  asked: Readonly<Record<string, string>>;
  /** The bills of a row in this report. */
  drill: (row: Row, age?: string) => string;
};

/** Where the bills of a row (and an age) are: in the bill list as of today, else in this report by bill. */
function billsOf(mode: Mode, row: Row, { day, today, asked, drill }: Around, age?: Age): string {
  const list = today ? billListOf(mode, row.id, asked, age && dueOf(age, day)) : undefined;
  return (list && reach("/accountManage/BillListManage", list)) ?? drill(row, age);
}

const beside = (row: Row) => <Rooms names={row.rooms} beside={row.villageName} />;

const NAMED: Record<Mode, Column<Row>[]> = {
  party: ["partyName", "phone", { key: "rooms", width: 170 }, "contractState"],
  room: [{ key: "rooms", show: beside }, "villageName"],
  bill: [
    "billNo",
    "partyName",
    "phone",
    { key: "rooms", width: 150, show: beside },
    "villageName",
    "dueDate",
    "contractState",
  ],
  subject: ["subjectName"],
  village: ["villageName"],
};
const BEHIND: Record<Mode, Column<Row>[]> = {
  party: [
    "lateFee",
    "deposit",
    "prepaid",
    "net",
    "maxDays",
    { key: "bills", hidden: true },
    "remindedOn",
    "promiseDay",
    { key: "note", width: 160 },
  ],
  room: ["lateFee", "bills", "maxDays"],
  bill: ["lateFee", "maxDays", "remindedOn", "promiseDay", { key: "note", width: 160 }],
  subject: ["bills", "maxDays"],
  village: ["bills", "maxDays"],
};

/** The columns of a mode: who or what, the ages, and what stands behind. */
export function columnsOf(mode: Mode, around: Around): Column<Row>[] {
  const to = (row: Row, age?: Age) => billsOf(mode, row, around, age);
  if (mode === "bill") {
    const list = (row: Row) => reach("/accountManage/BillListManage", { id: row.id });
    const [billNo, ...rest] = NAMED.bill;
    return [
      { key: billNo as "billNo", to: list },
      ...rest,
      { key: "owed", strong: true },
      ...AGES.map(({ key }): Column<Row> => ({ key, hidden: true })),
      ...BEHIND.bill,
    ];
  }
  const [first, ...rest] = NAMED[mode];
  return [
    mode === "party"
      ? first!
      : { ...(typeof first === "object" ? first : { key: first! }), to: (row) => to(row) },
    ...rest,
    { key: "owed", show: (row) => <Amount fen={row.owed} to={to(row)} strong /> },
    ...AGES.map(({ key }): Column<Row> => ({
      key,
      show: (row) => <Amount fen={row[key]} to={to(row, key)} />,
    })),
    ...BEHIND[mode],
  ];
}

const TITLES = {
  party: "partyName",
  room: "rooms",
  bill: "billNo",
  subject: "subjectName",
  village: "villageName",
} as const;
const late = (row: Row) => <span className="bad">逾期 {row.maxDays} 天</span>;
const fee = (row: Row) => (row.lateFee ? `预计滞纳金 ${yuan(row.lateFee)}` : "");

export const cardOf = (mode: Mode): Card<Row> => ({
  title: mode === "room" ? (row) => row.rooms : TITLES[mode],
  right: "owed",
  lines:
    mode === "party"
      ? [["rooms", late], ["phone", fee], [(row) => (row.promiseDay ? `承诺 ${row.promiseDay} 付款` : "")]]
      : mode === "bill"
        ? [
            ["partyName", late],
            [(row) => row.rooms, fee],
          ]
        : [[(row) => `${row.bills} 笔`, late]],
  sums: ["owed", "d30", "d60"],
});
