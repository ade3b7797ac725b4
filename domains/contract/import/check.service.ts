import type { Day } from "../../../platform/kernel/day.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { NoSheet, openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { readTexts, type SheetReading, type TextRow } from "../../../platform/server/sheets/sheet-reading.ts";
import { columnNumber } from "../../../platform/server/sheets/sheet-rows.ts";
import { subjectsFor } from "../../finance/subject/subject.service.ts";
import { nearest } from "../../system/import/value.rules.ts";
import { configOf, startingTerms } from "../config/config.service.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { type CellError, type Planned, planRow } from "./planned.rules.ts";
import {
  type Obstacle,
  type Place,
  type Village,
  meet,
  obstaclesOf,
  placesOf,
  villagesByName,
} from "./places.queries.ts";
import { readRow, type ContractRow, type Wrong } from "./row.rules.ts";
import { SHAPE, SHEET, type ColumnKey } from "./columns.rules.ts";

export type Checked = { errors: CellError[]; rowCount: number; planned: Planned[] };

type Judged = {
  row: TextRow<ColumnKey>;
  wrong: Wrong[];
  read: ContractRow | undefined;
  village: Village | undefined;
  place: Place | undefined;
};

const wholeFile = (msg: string): Checked => ({
  errors: [{ row: 1, column: "", header: "", value: "", msg }],
  rowCount: 0,
  planned: [],
});

/**
 * Judges a whole file: every cell, rows against each other, and all of it against what stands already. Nothing is
 * written.
 */
export async function checkFile(read: Read | Act, bytes: Buffer, takenOn: Day): Promise<Checked> {
  let reading: SheetReading<ColumnKey>;
  try {
    reading = readTexts(await openSheet(bytes, SHEET), SHAPE);
  } catch (error) {
    if (error instanceof NoSheet) return wholeFile(error.message);
    throw error;
  }
  if (reading.errors.length) return { errors: reading.errors, rowCount: reading.rows.length, planned: [] };
  const rows = await judged(read, reading, takenOn);
  neighbours(rows);
  await againstLeases(read, rows);
  await againstOldNumbers(read, rows);
  const good = rows.filter((r) => r.read && r.village && r.place);
  const { people, wrong } = await meet(
    read,
    good.map((r) => ({ n: r.row.number, enterpriseId: r.village!.enterpriseId, tenant: r.read!.tenant })),
  );
  for (const r of rows) {
    const msg = wrong.get(r.row.number);
    if (msg) r.wrong.push({ key: "certNo", msg });
  }
  const terms = await termsOf(read, good);
  const planned: Planned[] = [];
  for (const r of good) {
    const person = people.get(r.row.number);
    if (r.wrong.length || !person) continue;
    const { villageId } = r.place!;
    const made = planRow(r.read!, {
      ...terms.get(villageId)!,
      n: r.row.number,
      villageName: r.village!.name,
      place: r.place!,
      person,
      today: read.today,
    });
    if ("wrong" in made) r.wrong.push(...made.wrong);
    else planned.push(made.planned);
  }
  const errors = rows.flatMap((r) => r.wrong.map((w) => reading.errorAt(r.row, w)));
  errors.sort((a, b) => a.row - b.row || columnNumber(a.column) - columnNumber(b.column));
  return { errors, rowCount: rows.length, planned };
}

/** Each row by itself, with its village and room. */
async function judged(read: Read, reading: SheetReading<ColumnKey>, takenOn: Day): Promise<Judged[]> {
  const named = await villagesByName(read);
  const used = new Set(reading.rows.flatMap((row) => named.get(row.typed.village ?? "")?.id ?? []));
  const placeOf = await placesOf(read, [...used]);
  return reading.rows.map((row) => {
    const own = readRow(row.typed, { today: read.today, takenOn });
    // a cell that could not be read at all says so once
    const unread = new Set(row.wrong.map((w) => w.key));
    const wrong = [...row.wrong, ...own.wrong.filter((w) => !unread.has(w.key))];
    const { village: called, room } = row.typed;
    const village = called === undefined ? undefined : named.get(called);
    if (called !== undefined && !village) {
      const near = nearest(called, [...named.keys()]).join("、");
      wrong.push({
        key: "village",
        msg: `没有门店“${called.slice(0, 30)}”，或无权查看；相近的有：${near || "无"}`,
      });
    } else if (village?.state === "closed") wrong.push({ key: "village", msg: "门店已停业" });
    const found = village && room !== undefined ? placeOf(village.id, room) : undefined;
    const place = typeof found === "object" ? found : undefined;
    const msg = found === undefined ? undefined : roomRefusal(found, village!.name, room!, own.row?.end);
    if (msg) wrong.push({ key: "room", msg });
    return { row, wrong, read: own.row, village, place };
  });
}

function roomRefusal(
  found: Place | "unknown" | "ambiguous",
  village: string,
  typed: string,
  end: Day | undefined,
): string | undefined {
  if (found === "unknown") return `${village}没有房间“${typed.slice(0, 30)}”`;
  if (found === "ambiguous")
    return `${village}有多个房间叫“${typed.slice(0, 30)}”，请填写楼栋·单元·门牌·房间名`;
  if (found.kind === "shop") return "商铺请签商户合同";
  if (found.kind === "parking" || found.kind === "storage") return "车位和储藏间只能随房出租";
  if (found.retiredDay && (!end || found.retiredDay <= end))
    return `${found.name} 自 ${found.retiredDay} 起已注销`;
  return undefined;
}

/** Rows of one file that let the same room twice, or carry the same number. */
function neighbours(rows: readonly Judged[]): void {
  const taken = new Map<number, { row: number; from: Day; to: Day }[]>();
  const numbers = new Map<string, number>();
  for (const r of rows) {
    if (r.read?.oldNo) {
      const first = numbers.get(r.read.oldNo);
      if (first) r.wrong.push({ key: "oldNo", msg: `与第 ${first} 行重复` });
      else numbers.set(r.read.oldNo, r.row.number);
    }
    if (!r.read || !r.place) continue;
    const { start: from, end: to } = r.read;
    const clash = r.place.leaves
      .flatMap((leaf) => taken.get(leaf) ?? [])
      .find((other) => other.from <= to && from <= other.to);
    if (clash) r.wrong.push({ key: "room", msg: `与第 ${clash.row} 行的房间和租期重叠` });
    for (const leaf of r.place.leaves)
      taken.set(leaf, [...(taken.get(leaf) ?? []), { row: r.row.number, from, to }]);
  }
}

async function againstLeases(read: Read, rows: readonly Judged[]): Promise<void> {
  const obstacles = await obstaclesOf(
    read,
    rows.flatMap(({ row, read: line, place }) =>
      line && place ? [{ n: row.number, leaves: place.leaves, from: line.start, to: line.end }] : [],
    ),
  );
  for (const r of rows) {
    const found = obstacles.get(r.row.number);
    if (found) r.wrong.push({ key: "room", msg: takenText(found) });
  }
}

const takenText = ({ room, from, to, who, heldOver }: Obstacle) =>
  heldOver
    ? `${room} 的原租客（${who}）到期未退，请先结算或续租`
    : `${room} 在 ${from} 至 ${to ?? "未定"} 已被 ${who} 占用`;

/** A number that came in before and still stands is the same contract. */
async function againstOldNumbers(read: Read, rows: readonly Judged[]): Promise<void> {
  const numbers = [...new Set(rows.flatMap((r) => (r.read?.oldNo && r.village ? [r.read.oldNo] : [])))];
  if (!numbers.length) return;
  const known = await read.tx
    .selectFrom("contract")
    .select(["oldNo", "villageId", "contractNo"])
    .where("oldNo", "in", numbers)
    .where("state", "<>", "voided")
    .execute();
  const found = new Map(known.map((c) => [`${c.villageId} ${c.oldNo}`, c.contractNo]));
  for (const r of rows) {
    const contractNo = r.read?.oldNo && r.village && found.get(`${r.village.id} ${r.read.oldNo}`);
    if (contractNo) r.wrong.push({ key: "oldNo", msg: `已导入为 ${contractNo}` });
  }
}

/** What each village's contracts start from, and the fee that a management fee is booked on. */
async function termsOf(
  read: Read,
  rows: readonly Judged[],
): Promise<Map<number, { terms: Terms; propertyId: number | undefined; propertyName: string }>> {
  const villages = new Map(rows.map((r) => [r.village!.id, r.village!]));
  const found = new Map();
  if (!villages.size) return found;
  const subjects = await subjectsFor(read, [...villages.keys()]);
  const charged = rows.some((r) => r.read!.property > 0);
  for (const { id, enterpriseId } of villages.values()) {
    const subject = charged ? subjects.find(id, "property") : undefined;
    found.set(id, {
      terms: startingTerms(await configOf(read, { enterpriseId, villageId: id })),
      propertyId: subject?.id,
      propertyName: subject?.name ?? "",
    });
  }
  return found;
}
