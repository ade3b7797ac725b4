import type ExcelJS from "exceljs";
import type { Read } from "../../../platform/server/act.ts";
import { columnLetters } from "../../../platform/server/sheet-rows.ts";
import { inScope, anyOf } from "../../../platform/server/scope.ts";
import { houseWords } from "../dictionary/words.queries.ts";
import { COLUMNS, headOf, ROWS_MAX, SHEET, type Column } from "./columns.rules.ts";

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
  const { default: excel } = await import("exceljs");
  const book = new excel.Workbook();
  fillIn(book, lists, villageId ? villages[0]?.name : undefined);
  dictionary(book, lists);
  explain(book, villages[0]?.name ?? "滨江店");
  return new Uint8Array(await book.xlsx.writeBuffer());
}

const GREY = { type: "pattern", pattern: "solid", fgColor: { argb: "FFF2F4F7" } } as const;
const BLUE = { type: "pattern", pattern: "solid", fgColor: { argb: "FFDCE6FF" } } as const;
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

function fillIn(
  book: ExcelJS.Workbook,
  lists: Record<string, readonly string[]>,
  village: string | undefined,
): void {
  const sheet = book.addWorksheet(SHEET, { views: [{ state: "frozen", ySplit: 1, xSplit: 1 }] });
  sheet.columns = COLUMNS.map((column) => ({
    header: headOf(column),
    width: column.width,
    // doors and dates keep the form in which they are typed
    style: {
      numFmt: TEXT.has(column.key)
        ? "@"
        : column.key.endsWith("Day") || column.key.endsWith("End")
          ? "yyyy-mm-dd"
          : "General",
    },
  }));
  COLUMNS.forEach((column, i) => {
    const cell = sheet.getCell(1, i + 1);
    cell.style = { font: { bold: true }, fill: column.required === true ? BLUE : GREY, numFmt: "@" };
    const must = column.required === true ? "必填。" : column.required ? `${column.required}必填。` : "";
    cell.note = `${must}${column.hint}`;
    const formula = choicesOf(column, lists);
    if (formula)
      validations(sheet).add(`${columnLetters(i + 1)}2:${columnLetters(i + 1)}${ROWS_MAX + 1}`, {
        type: "list",
        allowBlank: true,
        // a new building is no mistake
        showErrorMessage: column.list !== "楼栋",
        errorTitle: column.title,
        error: column.hint,
        formulae: [formula],
      });
  });
  if (village) sheet.getCell("A2").value = village;
}

/** The choices of a drop-down: a short list stands in the file itself, the others on the sheet 字典. */
function choicesOf(column: Column, lists: Record<string, readonly string[]>): string | undefined {
  if (column.words) return `"${column.words.join(",")}"`;
  const list = column.list && lists[column.list];
  if (!list?.length) return undefined;
  const letter = columnLetters(Object.keys(lists).indexOf(column.list!) + 1);
  return `字典!$${letter}$2:$${letter}$${list.length + 1}`;
}

/** The library keeps drop-downs by range, though its types do not say so. */
const validations = (sheet: ExcelJS.Worksheet) =>
  (sheet as unknown as { dataValidations: { add: (range: string, rule: ExcelJS.DataValidation) => void } })
    .dataValidations;

function dictionary(book: ExcelJS.Workbook, lists: Record<string, readonly string[]>): void {
  const sheet = book.addWorksheet("字典");
  Object.entries(lists).forEach(([title, words], i) => {
    const column = sheet.getColumn(i + 1);
    column.width = 18;
    column.values = [title, ...words];
    sheet.getCell(1, i + 1).style = { font: { bold: true }, fill: GREY };
  });
}

function explain(book: ExcelJS.Workbook, village: string): void {
  const sheet = book.addWorksheet("说明");
  sheet.getColumn(1).width = 16;
  sheet.getColumn(2).width = 60;
  RULES.forEach((rule, i) => sheet.addRow([i === 0 ? "填写规则" : "", rule]));
  sheet.addRow([]);
  sheet.addRow(["列", "说明"]).font = { bold: true };
  for (const column of COLUMNS)
    sheet.addRow([
      headOf(column),
      (column.required && column.required !== true ? `${column.required}必填。` : "") + column.hint,
    ]);
  sheet.addRow([]);
  sheet.addRow(["示例"]).font = { bold: true };
  sheet.addRow(COLUMNS.map(headOf));
  for (const sample of SAMPLES)
    sheet.addRow(COLUMNS.map(({ key }) => (key === "village" ? village : (sample[key] ?? ""))));
}
