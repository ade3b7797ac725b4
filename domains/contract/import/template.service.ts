import type { Read } from "../../../platform/server/pipeline/act.ts";
import { plainRows, valuesXml, wholeWorkbook, type BookSheet } from "../../../platform/server/sheets/book.ts";
import { STYLE } from "../../../platform/server/sheets/cell.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { columnLetters } from "../../../platform/server/sheets/sheet-rows.ts";
import { below, listed } from "../../../platform/server/sheets/sheet-template.ts";
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
    room: "3栋·1单元·1204-A",
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
  "已付至当日及以前的计费期不再出账；被已付至截断的计费期只收剩余的天数；之后的计费期照常出账。",
  "已付至以前尚未收到的款项填在欠费里，导入后成为一张期初欠费账单。",
  "在管押金、欠费、预存款在接管日记为期初余额；上传检查后请与原表核对合计。",
  "已登记的租客按证件号，或手机加姓名找到；未登记的自动新建。",
  `不支持公式和合并单元格，请粘贴为数值；一个文件最多 ${ROWS_MAX} 行、10M。`,
  "任何一行有错误时整个文件都不会导入；请下载错误文件改正后重新上传。",
];

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
  const list: BookSheet = {
    name: "字典",
    columns: [{ width: 24 }],
    rows: plainRows([["门店"], ...names.map((name) => [name])], (_, i) => i === 0),
  };
  return wholeWorkbook([fillIn(names), list, explain(names[0] ?? "滨江店")]);
}

const fillIn = (villages: readonly string[]): BookSheet => ({
  name: SHEET,
  frozen: { rows: 1, columns: 3 },
  // numbers that are names of things keep the form in which they are typed
  columns: COLUMNS.map(({ kind, width }) => ({ width, style: kind ? STYLE[kind] : STYLE.plain })),
  rows: [valuesXml(1, COLUMNS.map(headOf), (i) => (COLUMNS[i]!.required ? STYLE.mustHead : STYLE.head))],
  choices: COLUMNS.flatMap((column, i) => {
    const from = choicesOf(column, villages);
    // the list shows the usual; other ways of paying and short names are no mistake
    const strict = column.key === "certType" || column.key === "basis" || column.key === "periods";
    const refusal = strict ? { title: column.title, text: column.hint } : undefined;
    return from ? [{ ...below(i, ROWS_MAX), from, refusal }] : [];
  }),
  notes: COLUMNS.map(({ required, hint }, i) => ({
    at: `${columnLetters(i + 1)}1`,
    text: `${required ? "必填。" : ""}${hint}`,
  })),
});

function choicesOf(column: Column, villages: readonly string[]): string | undefined {
  if (column.words) return listed(column.words);
  if (column.key === "village" && villages.length) return `字典!$A$2:$A$${villages.length + 1}`;
  return undefined;
}

const explain = (village: string): BookSheet => ({
  name: "说明",
  columns: [{ width: 16 }, { width: 70 }],
  rows: plainRows(
    [
      ...RULES.map((rule, i) => [i === 0 ? "填写规则" : "", rule]),
      [],
      ["列", "说明"],
      ...COLUMNS.map((column) => [headOf(column), column.hint]),
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
