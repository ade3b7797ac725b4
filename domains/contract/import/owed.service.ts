import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { isHeld } from "../../finance/bill/bill.rules.ts";
import type { OpenBill } from "../../finance/opening/opening.service.ts";
import { isCharged, type Subject } from "../../finance/subject/subject.rules.ts";
import { subjectsFor } from "../../finance/subject/subject.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { type Store, storesNamed } from "../../system/import/stores.service.ts";
import { cellsOf } from "../../system/import/value.rules.ts";
import type { ColumnKey } from "./columns.rules.ts";
import { againstFirst, type Owed, owedKey, readOwed } from "./owed.rules.ts";
import type { Place } from "./places.queries.ts";
import type { ContractRow } from "./row.rules.ts";

/** The row of a room that a contract lets, with what is known of it: the first is that of the contract itself. */
export type LetRow = { row: Row; rent: Fen | undefined; place?: Place };
export type Of = {
  row: Row;
  read: ContractRow | undefined;
  store: Store | undefined;
  rooms: readonly LetRow[];
};
type Line = { row: Row; owed: Owed; of: Of; remark: string };

/** What is open of a contract, and which further rows bring it. */
export type OwedOf = { bills: OpenBill[]; further: number[] };

/**
 * The open bills of each contract, by the number of its row: the one in that row, and those that further rows bring, each
 * judged by itself and against the others.
 */
export async function owedOf(
  read: Read,
  contracts: readonly Of[],
  further: readonly Row[],
  takenOn: Day,
): Promise<Map<number, OwedOf>> {
  const own = contracts.flatMap((of): Line[] =>
    of.read?.owed ? [{ row: of.row, owed: of.read.owed, of, remark: "" }] : [],
  );
  const lines = [...own, ...(await furtherLines(read, contracts, further, takenOn))];
  const subjects = await subjectsFor(
    read,
    lines.flatMap(({ of }) => of.store?.id ?? []),
  );
  const grouped = Map.groupBy(lines, ({ of }) => of.row.number);
  return new Map(
    [...grouped].map(([number, bills]) => {
      const found = bills.flatMap((line) => {
        const { store } = line.of;
        if (!store) return [];
        const { subject } = line.owed;
        return { line, of: subject ? subjects.named(store.id, subject) : subjects.find(store.id, "rent") };
      });
      refuseTwice(found);
      const rows = bills.map(({ row }) => row.number);
      return [
        number,
        {
          bills: found.flatMap(({ line, of }) => openBill(line, of) ?? []),
          further: rows.filter((row) => row !== number),
        },
      ];
    }),
  );
}

/** The contract of a file that a further row belongs to: of its store, by its number. */
export function ofNumber<C extends Of>(contracts: readonly C[], storeOf: (row: Row) => Store | undefined) {
  const key = (row: Row, store: Store) => `${store.id} ${row.text["oldNo"]}`;
  const byNumber = new Map<string, C>();
  for (const of of contracts) {
    if (!of.store) continue;
    const known = key(of.row, of.store);
    if (!byNumber.has(known)) byNumber.set(known, of);
  }
  return (row: Row, add: (key: ColumnKey, msg: string) => void): C | undefined => {
    const store = storeOf(row);
    if (row.text["village"] === undefined) add("village", "请填写门店");
    const of = store && byNumber.get(key(row, store));
    if (store && !of) add("oldNo", "文件中没有这个合同号的合同行，请填写起租日、到期日和月租金");
    return of;
  };
}

async function furtherLines(
  read: Read,
  contracts: readonly Of[],
  further: readonly Row[],
  takenOn: Day,
): Promise<Line[]> {
  const contractOf = ofNumber(contracts, await storesNamed(read));
  return further.flatMap((row): Line[] => {
    const { wrong, add, take } = cellsOf<ColumnKey>(row.text, []);
    const of = contractOf(row, add);
    if (of) {
      const rooms = of.rooms.map((room) => room.row.text["room"]);
      againstFirst(row.text, { number: of.row.number, text: of.row.text, rooms }, add);
    }
    const owed = readOwed(row.text, takenOn, { add, take });
    if (!owed && row.text["arrears"] === undefined) add("arrears", "请填写欠费");
    else if (!owed) add("arrears", "金额必须大于0");
    const remark = row.text["remark"] ?? "";
    if (remark.length > 200) add("remark", "欠费的备注最多200个字");
    for (const { key: column, msg } of wrong) row.say(column, msg);
    return of && owed ? [{ row, owed, of, remark }] : [];
  });
}

function refuseTwice(lines: readonly { line: Line; of: Subject | undefined }[]): void {
  const seen = new Map<string, number>();
  for (const { line, of } of lines) {
    const { row, owed } = line;
    const key = owedKey(owed, of?.id ?? owed.subject);
    const first = seen.get(key);
    if (first !== undefined) row.say("arrears", `与第 ${first} 行的欠费重复`);
    else seen.set(key, row.number);
  }
}

/** What its subject says about an open bill; the periods after the paid-to day are billed by the contract itself. */
function openBill({ row, owed, of, remark }: Line, subject: Subject | undefined): OpenBill | undefined {
  if (!subject?.enabled) row.say("arrearsSubject", "没有这个费用科目，或已停用");
  else if (isHeld(subject.kind)) row.say("arrearsSubject", "未收的押金、定金请在导入后新增账单");
  else if (!isCharged(subject.kind)) row.say("arrearsSubject", "该科目不能用于应收账单");
  const line = of.read;
  const billed = subject?.code === "rent" || (subject?.code === "property" && (line?.property ?? 0) > 0);
  if (line && billed && owed.to && owed.to > line.paidTo)
    row.say("arrearsTo", `晚于已付至 ${line.paidTo}，之后的计费期由合同出账`);
  if (row.wrong.length || !subject) return undefined;
  const room = of.rooms.find((each) => each.row.text["room"] === row.text["room"])?.place;
  return {
    subject: subject.id,
    ...(room && { roomId: room.id }),
    title: owed.subject && subject.code !== "rent" ? `期初欠费·${subject.name}` : "期初欠费",
    from: owed.from,
    to: owed.to,
    dueDate: owed.due,
    amount: owed.amount,
    paid: owed.paid,
    remark,
  };
}
