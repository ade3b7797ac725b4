import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { type BookSheet, plainRows, valuesXml, wholeWorkbook } from "../../../platform/server/sheets/book.ts";
import { STYLE } from "../../../platform/server/sheets/cell.ts";
import { openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { notedSheet } from "../../../platform/server/sheets/noted-sheet.ts";
import type { SheetError } from "../../../platform/server/sheets/sheet-reading.ts";
import { columnLetters } from "../../../platform/server/sheets/sheet-rows.ts";
import { below, listed } from "../../../platform/server/sheets/sheet-template.ts";
import { houseWords } from "../dictionary/house.queries.ts";
import { hangs, referencesTo } from "../room/room.queries.ts";
import { removeRooms } from "../block/use.service.ts";
import { COLUMNS, type Column, ROWS_MAX, SHEET, headOf } from "./columns.rules.ts";

/** Two rows that show how it is meant; they stand on the sheet of explanations only. */
const SAMPLES: Partial<Record<Column["key"], string | number>>[] = [
  {
    building: "3栋",
    unit: "1单元",
    floor: "12F",
    door: "1203",
    mode: "整租",
    bedrooms: 2,
    halls: 1,
    baths: 1,
    grossArea: 89.5,
    innerArea: 72,
    orientation: "南",
    decoration: "精装",
    listPrice: 5200,
    capacity: 4,
    firstDay: "2026-12-01",
  },
  {
    building: "3栋",
    unit: "1单元",
    floor: "12F",
    door: "1204",
    mode: "合租",
    wholeToo: "是",
    rooms: "A,B,C",
    bedrooms: 3,
    halls: 1,
    baths: 2,
    grossArea: 110,
    roomArea: "18/15/12.5",
    orientation: "南北",
    listPrice: "2200/2000/1800",
    lowestPrice: "2000/1800/1600",
    facilities: "空调,床,衣柜",
    tags: "近地铁",
  },
];

const RULES = [
  "在“房源”工作表中从第 2 行起填写，一行一套房源；本页内容不会导入。",
  "带 * 的列必填；小区在分散式门店必填；房间名在合租、床位必填。",
  "楼栋、单元、楼层不存在时会自动新建；门牌在同一楼栋单元内不能重复。",
  "金额为元，最多两位小数；面积为平方米，最多两位小数；日期如 2026-11-20。",
  "各房间的面积、标价、底价、可住人数不同时，用 / 分开，与房间名一一对应。",
  "不支持公式和合并单元格，请粘贴为数值；一个文件最多 10000 行、10M。",
  "任何一行有错误时整个文件都不会导入；请下载错误文件改正后重新上传。",
];

/** The workbook that people fill in: made for one village, or for all in scope. */
export async function templateFor(read: Read, villageId: number | undefined): Promise<Uint8Array> {
  const ids = villageId ? [inScope(read.who, villageId)] : read.who.villages;
  const [villages, buildings, products, districts] = await Promise.all([
    read.tx
      .selectFrom("village")
      .select(["name"])
      .where("id", "=", anyOf(ids))
      .where("state", "<>", "closed")
      .orderBy("name")
      .execute(),
    read.tx
      .selectFrom("building")
      .select(["name"])
      .distinct()
      .where("villageId", "=", anyOf(ids))
      .orderBy("name")
      .limit(2000)
      .execute(),
    read.tx
      .selectFrom("product")
      .select(["name"])
      .where("enterpriseId", "=", read.who.enterpriseId)
      .where("enabled", "=", true)
      .orderBy("name")
      .execute(),
    read.tx
      .selectFrom("district")
      .select(["name"])
      .where("enterpriseId", "=", read.who.enterpriseId)
      .where("enabled", "=", true)
      .orderBy("sort")
      .execute(),
  ]);
  const words = await houseWords(read);
  const lists: Record<string, readonly string[]> = {
    门店: villages.map((v) => v.name),
    楼栋: buildings.map((b) => b.name),
    产品: products.map((p) => p.name),
    设施: words.facilities,
    朝向: words.orientations,
    装修: words.decorations,
    产权来源: Object.keys(words.sources),
    区域: districts.map((d) => d.name),
  };
  return wholeWorkbook([
    fillIn(lists, villageId ? villages[0]?.name : undefined),
    dictionary(lists),
    explain(villages[0]?.name ?? "滨江店"),
  ]);
}

const TEXT = new Set([
  "door",
  "unit",
  "building",
  "rooms",
  "floor",
  "roomArea",
  "listPrice",
  "lowestPrice",
  "capacity",
]);
/** Doors and dates keep the form in which they are typed. */
const styleOf = (key: string) =>
  TEXT.has(key) ? STYLE.text : key.endsWith("Day") || key.endsWith("End") ? STYLE.day : STYLE.plain;

const fillIn = (lists: Record<string, readonly string[]>, village: string | undefined): BookSheet => ({
  name: SHEET,
  frozen: { rows: 1, columns: 1 },
  columns: COLUMNS.map(({ key, width }) => ({ width, style: styleOf(key) })),
  rows: [
    valuesXml(1, COLUMNS.map(headOf), (i) => (COLUMNS[i]!.required === true ? STYLE.mustHead : STYLE.head)),
    ...(village ? [valuesXml(2, [village])] : []),
  ],
  choices: COLUMNS.flatMap((column, i) => {
    const from = choicesOf(column, lists);
    // a new building is no mistake
    const refusal = column.list === "楼栋" ? undefined : { title: column.title, text: column.hint };
    return from ? [{ ...below(i, ROWS_MAX), from, refusal }] : [];
  }),
  notes: COLUMNS.map((column, i) => ({ at: `${columnLetters(i + 1)}1`, text: mustOf(column) + column.hint })),
});
const mustOf = ({ required }: Column) => (required === true ? "必填。" : required ? `${required}必填。` : "");

/** The choices of a drop-down: a short list stands in the file itself, the others on the sheet 字典. */
function choicesOf(column: Column, lists: Record<string, readonly string[]>): string | undefined {
  if (column.words) return listed(column.words);
  const list = column.list && lists[column.list];
  if (!list?.length) return undefined;
  const letter = columnLetters(Object.keys(lists).indexOf(column.list!) + 1);
  return `字典!$${letter}$2:$${letter}$${list.length + 1}`;
}

function dictionary(lists: Record<string, readonly string[]>): BookSheet {
  const columns = Object.values(lists);
  const longest = Math.max(...columns.map((words) => words.length));
  const words = Array.from({ length: longest }, (_, n) => columns.map((list) => list[n]));
  return {
    name: "字典",
    columns: columns.map(() => ({ width: 18 })),
    rows: [
      valuesXml(1, Object.keys(lists), () => STYLE.head),
      ...words.map((row, n) => valuesXml(n + 2, row)),
    ],
  };
}

const explain = (village: string): BookSheet => ({
  name: "说明",
  columns: [{ width: 16 }, { width: 60 }],
  rows: plainRows(
    [
      ...RULES.map((rule, i) => [i === 0 ? "填写规则" : "", rule]),
      [],
      ["列", "说明"],
      ...COLUMNS.map((column) => [
        headOf(column),
        (column.required === true ? "" : mustOf(column)) + column.hint,
      ]),
      [],
      ["示例"],
      COLUMNS.map(headOf),
      ...SAMPLES.map((sample) =>
        COLUMNS.map(({ key }) => (key === "village" ? village : (sample[key] ?? ""))),
      ),
    ],
    ([title]) => title === "列" || title === "示例",
  ),
});

/** The file as it came with every wrong cell red and the sentences in a column of their own. */
export async function* markedFile(bytes: Buffer, errors: readonly SheetError[]): AsyncGenerator<Uint8Array> {
  const notes = errors.map((e) => ({
    row: e.row,
    column: e.column,
    text: `${e.column && `${e.column} 列 `}${e.header && `${e.header}：`}${e.msg}`,
    wrong: true,
  }));
  yield* notedSheet(await openSheet(bytes, SHEET), { title: "错误说明", notes });
}

type Standing = { name: string; called: string };

/** Rooms and flats of the batch that something refers to, with what it is; at most six. */
async function hangingBy(read: Read, importId: number): Promise<Standing[]> {
  const found: Standing[] = [];
  for (const table of ["room", "apartment"] as const) {
    const mine =
      table === "room"
        ? sql`select r.id, r.full_name name from room r join apartment a on a.id = r.apartment_id where a.import_id = ${importId}`
        : sql`select a.id, concat_ws('·', b.name, a.name) from apartment a join building b on b.id = a.building_id where a.import_id = ${importId}`;
    const references = (await referencesTo(read, table)).filter((r) => r.table !== "room");
    if (!references.length) continue;
    const { rows } = await sql<{ name: string; i: number }>`
      with mine(id, name) as (${mine})
      ${sql.join(
        references.map(
          (r, i) =>
            sql`select m.name, ${i}::int i from mine m where exists (select 1 from ${sql.table(r.table)} x where ${hangs(r, sql`m.id`)})`,
        ),
        sql` union all `,
      )} limit 12`.execute(read.tx);
    found.push(...rows.map((row) => ({ name: row.name, called: references[row.i]!.called })));
  }
  return found;
}

/** What was added by hand to places or rooms of the batch since. */
async function addedSince(read: Read, importId: number): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select r.full_name name, '改价记录' called from room_price p join room r on r.id = p.room_id
      join apartment a on a.id = r.apartment_id
      where a.import_id = ${importId} and (p.source <> 'import' or p.source_id is distinct from ${importId})
    union all
    select concat_ws('·', b.name, u.name, a.name), '后来新增的房源' from apartment a join building b on b.id = a.building_id
      left join unit u on u.id = a.unit_id left join floor f on f.id = a.floor_id
      where a.import_id is distinct from ${importId}
        and (b.import_id = ${importId} or u.import_id = ${importId} or f.import_id = ${importId})
    union all
    select concat_ws('·', b.name, f.name), '后来新增的楼层' from floor f join building b on b.id = f.building_id
      left join unit u on u.id = f.unit_id
      where f.import_id is distinct from ${importId} and (b.import_id = ${importId} or u.import_id = ${importId})
    union all
    select concat_ws('·', b.name, u.name), '后来新增的单元' from unit u join building b on b.id = u.building_id
      where u.import_id is distinct from ${importId} and b.import_id = ${importId}
    limit 12`.execute(read.tx);
  return rows;
}

/** Takes a batch back to nothing, or names what stands in the way. */
export async function undoBatch(act: Act, importId: number): Promise<{ apartments: number; rooms: number }> {
  const standing = [...(await hangingBy(act, importId)), ...(await addedSince(act, importId))];
  // a room that a record names twice is told once
  const hanging = [...new Map(standing.map((s) => [`${s.name} ${s.called}`, s])).values()];
  if (hanging.length) {
    const named = hanging.slice(0, 5).map((h) => `${h.name}（${h.called}）`);
    const more = hanging.length > 5 ? " 等" : "";
    throw new Refusal("inUse", `已有关联记录，不能撤销：${named.join("、")}${more}`, 409, { data: hanging });
  }
  const { rows } = await sql<{ id: number }>`
    select r.id from room r join apartment a on a.id = r.apartment_id where a.import_id = ${importId}`.execute(
    act.tx,
  );
  const rooms = await removeRooms(
    act,
    rows.map((row) => row.id),
  );
  const apartments = await act.tx.deleteFrom("apartment").where("importId", "=", importId).executeTakeFirst();
  for (const table of ["floor", "unit", "building"] as const)
    await act.tx.deleteFrom(table).where("importId", "=", importId).execute();
  return { apartments: Number(apartments.numDeletedRows), rooms };
}
