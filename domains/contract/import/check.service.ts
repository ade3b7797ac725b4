import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { subjectsFor } from "../../finance/subject/subject.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { storesNamed } from "../../system/import/stores.service.ts";
import { cellsOf, moneyOf } from "../../system/import/value.rules.ts";
import { configOf, startingTerms } from "../config/config.service.ts";
import type { Terms } from "../terms/terms.contract.ts";
import type { ColumnKey } from "./columns.rules.ts";
import type { OpeningKind } from "./kind.service.ts";
import { againstRoom, bringsOf } from "./owed.rules.ts";
import { type LetRow, type Of, ofNumber, owedOf } from "./owed.service.ts";
import { type Planned, planRow } from "./planned.rules.ts";
import { type Obstacle, obstaclesOf, placesOf } from "./places.queries.ts";
import { readRow } from "./row.rules.ts";

type Judged = Of & { rooms: LetRow[] };

/** Judges all rows: every cell, rows against each other, and all of it against what stands already. */
export const checkFor =
  (kind: OpeningKind) =>
  async (read: Read, all: readonly Row[], { takenOn }: { takenOn: Day }): Promise<Planned[]> => {
    const {
      contract = [],
      room: more = [],
      bill = [],
    } = Object.groupBy(all, (row) => bringsOf(row.text, kind.several));
    const rows = await judged(read, kind, contract, takenOn);
    if (more.length) await withRooms(read, rows, more);
    await placed(read, kind, rows);
    neighbours(rows, kind.several);
    await againstLeases(read, rows);
    await againstOldNumbers(read, rows);
    const good = rows.filter((r) => r.read && r.store && r.rooms.every((room) => room.place && room.rent));
    const people = await kind.meet(
      read,
      good.map(({ row, read: line, store }) => ({
        n: row.number,
        row,
        enterpriseId: store!.enterpriseId,
        villageId: store!.id,
        tenant: line!.tenant,
      })),
    );
    const owed = await owedOf(read, rows, bill, takenOn);
    const terms = await termsOf(read, good);
    const planned: Planned[] = [];
    for (const { row, read: line, store, rooms } of good) {
      const person = people.get(row.number);
      if (row.wrong.length || rooms.some((room) => room.row.wrong.length) || !person) continue;
      const [first, ...further] = rooms.map(({ row: { number }, place, rent }) => {
        const { id, villageId, name } = place!;
        return { id, villageId, name, rent: rent!, row: number };
      });
      const made = planRow(line!, {
        ...terms.get(store!.id)!,
        n: row.number,
        villageName: store!.name,
        place: first!,
        further,
        person,
        owed: owed.get(row.number),
        today: read.today,
      });
      if ("wrong" in made) for (const { key, msg } of made.wrong) row.add(key, msg);
      else planned.push(made.planned);
    }
    return planned;
  };

/** Each row by itself, with its store. */
async function judged(
  read: Read,
  { reading }: OpeningKind,
  rows: readonly Row[],
  takenOn: Day,
): Promise<Judged[]> {
  const storeOf = await storesNamed(read);
  return rows.map((row) => {
    const { row: line, wrong } = readRow(row.text, { today: read.today, takenOn }, reading);
    for (const { key, msg } of wrong) row.add(key, msg);
    return { row, read: line, store: storeOf(row), rooms: [{ row, rent: line?.rent }] };
  });
}

/** The rooms that further rows bring to their contracts. */
async function withRooms(read: Read, contracts: readonly Judged[], more: readonly Row[]): Promise<void> {
  const contractOf = ofNumber(contracts, await storesNamed(read));
  for (const row of more) {
    const { wrong, add, take } = cellsOf<ColumnKey>(row.text, []);
    const of = contractOf(row, add);
    if (of) againstRoom(row.text, of.row, add);
    const rent = take("rent", moneyOf);
    if (row.text["room"] === undefined) add("room", "请填写房间");
    if (row.text["rent"] === undefined) add("rent", "请填写月租金");
    for (const { key, msg } of wrong) row.say(key, msg);
    of?.rooms.push({ row, rent });
  }
}

/** Finds the rooms, and says which of them are not to be let so. */
async function placed(read: Read, { refuseRooms }: OpeningKind, rows: readonly Judged[]): Promise<void> {
  const placeOf = await placesOf(read, [...new Set(rows.flatMap(({ store }) => store?.id ?? []))]);
  for (const { store, read: line, rooms } of rows) {
    if (!store) continue;
    for (const room of rooms) {
      const typed = room.row.text["room"];
      const found = typed === undefined ? undefined : placeOf(store.id, typed);
      if (typeof found === "object") room.place = found;
      else if (found) room.row.add("room", notFound(found, store.name, typed!));
    }
    const known = rooms.filter((room) => room.place);
    const wrong = new Set<LetRow>();
    refuseRooms(
      known.map((room) => room.place!),
      (at, msg) => {
        known[at]!.row.add("room", msg);
        wrong.add(known[at]!);
      },
    );
    for (const room of known) {
      const { name, retiredDay } = room.place!;
      if (wrong.has(room) || !retiredDay || (line && retiredDay > line.end)) continue;
      room.row.add("room", `${name} 自 ${retiredDay} 起已注销`);
    }
  }
}

const notFound = (found: "unknown" | "ambiguous", village: string, typed: string): string =>
  found === "unknown"
    ? `${village}没有房间“${typed.slice(0, 30)}”`
    : `${village}有多个房间叫“${typed.slice(0, 30)}”，请填写楼栋·单元·门牌·房间名`;

/** Rows of one file that let the same room twice, or carry the same number. */
function neighbours(rows: readonly Judged[], several: boolean): void {
  const taken = new Map<number, { row: number; from: Day; to: Day }[]>();
  const numbers = new Map<string, number>();
  const other = several ? "房间、欠费另起一行，不填起租日和到期日" : "欠费另起一行，只填门店、合同号和欠费";
  for (const { row, read: line, rooms } of rows) {
    if (line?.oldNo) {
      const first = numbers.get(line.oldNo);
      if (first) row.add("oldNo", `与第 ${first} 行重复；同一合同的其他${other}`);
      else numbers.set(line.oldNo, row.number);
    }
    if (!line) continue;
    const { start: from, end: to } = line;
    for (const room of rooms) {
      const leaves = room.place?.leaves ?? [];
      const clash = leaves
        .flatMap((leaf) => taken.get(leaf) ?? [])
        .find((before) => before.from <= to && from <= before.to);
      if (clash) room.row.add("room", `与第 ${clash.row} 行的房间和租期重叠`);
      for (const leaf of leaves)
        taken.set(leaf, [...(taken.get(leaf) ?? []), { row: room.row.number, from, to }]);
    }
  }
}

async function againstLeases(read: Read, rows: readonly Judged[]): Promise<void> {
  const lets = rows.flatMap(({ read: line, rooms }) =>
    rooms.flatMap(({ row, place }) => (line && place ? [{ row, line, place }] : [])),
  );
  const obstacles = await obstaclesOf(
    read,
    lets.map(({ row, line, place }) => ({
      n: row.number,
      leaves: place.leaves,
      from: line.start,
      to: line.end,
    })),
  );
  for (const { row } of lets) {
    const found = obstacles.get(row.number);
    if (found) row.add("room", takenText(found));
  }
}

const takenText = ({ room, from, to, who, heldOver }: Obstacle) =>
  heldOver
    ? `${room} 的原租客（${who}）到期未退，请先结算或续租`
    : `${room} 在 ${from} 至 ${to ?? "未定"} 已被 ${who} 占用`;

/** A number that came in before and still stands is the same contract. */
async function againstOldNumbers(read: Read, rows: readonly Judged[]): Promise<void> {
  const numbers = [...new Set(rows.flatMap((r) => (r.read?.oldNo && r.store ? [r.read.oldNo] : [])))];
  if (!numbers.length) return;
  const known = await read.tx
    .selectFrom("contract")
    .select(["oldNo", "villageId", "contractNo"])
    .where("oldNo", "in", numbers)
    .where("state", "<>", "voided")
    .execute();
  const found = new Map(known.map((c) => [`${c.villageId} ${c.oldNo}`, c.contractNo]));
  for (const r of rows) {
    const contractNo = r.read?.oldNo && r.store && found.get(`${r.store.id} ${r.read.oldNo}`);
    if (contractNo) r.row.add("oldNo", `已导入为 ${contractNo}`);
  }
}

/** What each village's contracts start from, and the fee that a management fee is booked on. */
async function termsOf(
  read: Read,
  rows: readonly Judged[],
): Promise<Map<number, { terms: Terms; propertyId: number | undefined; propertyName: string }>> {
  const stores = new Map(rows.map((r) => [r.store!.id, r.store!]));
  const found = new Map();
  if (!stores.size) return found;
  const subjects = await subjectsFor(read, [...stores.keys()]);
  const charged = rows.some((r) => r.read!.property > 0);
  for (const { id, enterpriseId } of stores.values()) {
    const subject = charged ? subjects.find(id, "property") : undefined;
    found.set(id, {
      terms: startingTerms(await configOf(read, { enterpriseId, villageId: id })),
      propertyId: subject?.id,
      propertyName: subject?.name ?? "",
    });
  }
  return found;
}
