import type ExcelJS from "exceljs";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import { columnLetters } from "../../../platform/server/sheet-rows.ts";
import { COLUMNS, headOf, ROWS_MAX, SHEET, type Column, type ColumnKey } from "./columns.rules.ts";

/** Two rows that show how it is meant; they stand on the sheet of explanations only. */
const SAMPLES: Partial<Record<ColumnKey, string | number>>[] = [
  {
    room: "3栋·1单元·1203",
    name: "张雅婷",
    phone: "13812345678",
    certType: "身份证",
    certNo: "按证件填写",
    start: "2026-05-15",
    end: "2027-05-14",
    rent: 3000,
    pay: "押一付一",
    paidTo: "2026-11-30",
    deposit: 3000,
    arrears: 500,
    prepaid: 250,
    oldNo: "LS-2026-0087",
  },
  {
    room: "3栋·1单元·1204·A",
    name: "林晓彤",
    phone: "13712345678",
    start: "2026-09-01",
    end: "2027-08-31",
    rent: 2600,
    pay: "押二付三",
    periods: "按自然月",
    due: "上月25日",
    paidTo: "2026-11-30",
    deposit: 5200,
  },
];

const RULES = [
  `在“${SHEET}”工作表中从第 2 行起填写，一行一份合同；本页内容不会导入。`,
  "带 * 的列必填；其余的列不需要时可以删去。金额为元，最多两位小数；日期如 2026-11-20。",
  "已付至当日及以前的账期不再出账；被已付至截断的账期只收剩余的天数；之后的账期照常出账。",
  "已付至以前还没有收到的钱填在欠费里，导入后成为一张期初欠费账单。",
  "在管押金、欠费、预存款在接管日记为期初余额；上传检查后请与原表核对合计。",
  "已登记的租客按证件号，或手机加姓名找到；找不到时自动新建。",
  `不支持公式和合并单元格，请粘贴为数值；一个文件最多 ${ROWS_MAX} 行、10M。`,
  "任何一行有错误时整个文件都不会导入；请下载错误文件改正后重新上传。",
];

const GREY = { type: "pattern", pattern: "solid", fgColor: { argb: "FFF2F4F7" } } as const;
const BLUE = { type: "pattern", pattern: "solid", fgColor: { argb: "FFDCE6FF" } } as const;
const FORMATS = { text: "@", day: "yyyy-mm-dd", money: "#,##0.00" } as const;

/** The workbook that people fill in, with the villages in scope to choose from. */
export async function templateFor(read: Read): Promise<Uint8Array> {
  const villages = await read.tx
    .selectFrom("village")
    .select("name")
    .where("id", "=", anyOf(read.who.villages))
    .where("state", "<>", "closed")
    .orderBy("name")
    .execute();
  const names = villages.map((v) => v.name);
  const { default: excel } = await import("exceljs");
  const book = new excel.Workbook();
  fillIn(book, names);
  const list = book.addWorksheet("字典");
  list.getColumn(1).width = 24;
  list.getColumn(1).values = ["门店", ...names];
  list.getCell(1, 1).style = { font: { bold: true }, fill: GREY };
  explain(book, names[0] ?? "滨江店");
  return new Uint8Array(await book.xlsx.writeBuffer());
}

function fillIn(book: ExcelJS.Workbook, villages: readonly string[]): void {
  const sheet = book.addWorksheet(SHEET, { views: [{ state: "frozen", ySplit: 1, xSplit: 3 }] });
  sheet.columns = COLUMNS.map((column) => ({
    header: headOf(column),
    width: column.width,
    // numbers that are names of things keep the form in which they are typed
    style: { numFmt: column.kind ? FORMATS[column.kind] : "General" },
  }));
  COLUMNS.forEach((column, i) => {
    const cell = sheet.getCell(1, i + 1);
    cell.style = { font: { bold: true }, fill: column.required ? BLUE : GREY, numFmt: "@" };
    cell.note = `${column.required ? "必填。" : ""}${column.hint}`;
    const formula = choicesOf(column, villages);
    if (formula)
      validations(sheet).add(`${columnLetters(i + 1)}2:${columnLetters(i + 1)}${ROWS_MAX + 1}`, {
        type: "list",
        allowBlank: true,
        // the list shows the usual; other ways of paying and short names are no mistake
        showErrorMessage: column.key === "certType" || column.key === "basis" || column.key === "periods",
        errorTitle: column.title,
        error: column.hint,
        formulae: [formula],
      });
  });
}

function choicesOf(column: Column, villages: readonly string[]): string | undefined {
  if (column.words) return `"${column.words.join(",")}"`;
  if (column.key === "village" && villages.length) return `字典!$A$2:$A$${villages.length + 1}`;
  return undefined;
}

/** The library keeps drop-downs by range, though its types do not say so. */
const validations = (sheet: ExcelJS.Worksheet) =>
  (sheet as unknown as { dataValidations: { add: (range: string, rule: ExcelJS.DataValidation) => void } })
    .dataValidations;

function explain(book: ExcelJS.Workbook, village: string): void {
  const sheet = book.addWorksheet("说明");
  sheet.getColumn(1).width = 16;
  sheet.getColumn(2).width = 70;
  RULES.forEach((rule, i) => sheet.addRow([i === 0 ? "填写规则" : "", rule]));
  sheet.addRow([]);
  sheet.addRow(["列", "说明"]).font = { bold: true };
  for (const column of COLUMNS) sheet.addRow([headOf(column), column.hint]);
  sheet.addRow([]);
  sheet.addRow(["示例"]).font = { bold: true };
  sheet.addRow(COLUMNS.map(headOf));
  for (const sample of SAMPLES)
    sheet.addRow(COLUMNS.map(({ key }) => (key === "village" ? village : (sample[key] ?? ""))));
}
