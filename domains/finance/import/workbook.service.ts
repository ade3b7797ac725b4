import { COLUMNS, MOST_ROWS, SHEET } from "./columns.rules.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const xlsxReply = (name: string, body: Uint8Array) => ({ name, type: XLSX, body });

/** The empty sheet with its headings and notes, and a page that explains it. */
export async function templateFile(): Promise<Uint8Array> {
  const { default: excel } = await import("exceljs");
  const book = new excel.Workbook();
  const sheet = book.addWorksheet(SHEET, { views: [{ state: "frozen", ySplit: 1 }] });
  sheet.columns = COLUMNS.map((c) => ({
    header: c.must ? `${c.header}*` : c.header,
    width: Math.max(14, c.header.length * 2 + 4),
  }));
  COLUMNS.forEach((column, i) => {
    const head = sheet.getCell(1, i + 1);
    head.font = { bold: true };
    head.note = column.note;
    // a door such as 0301 keeps its zero, a contract number its digits
    if (column.field !== "amount") sheet.getColumn(i + 1).numFmt = "@";
  });
  const help = book.addWorksheet("说明");
  help.columns = [{ width: 18 }, { width: 60 }];
  help.addRows([
    ["填写说明", ""],
    ["必填", "列名带 * 的为必填；每行一笔账单"],
    ["行数", `一次最多 ${MOST_ROWS} 行，文件不超过30M`],
    ["公式", "不支持公式和合并单元格，请粘贴为数值"],
    ["结果", "任何一行有错误时全部不导入，按行列列出错误"],
    ...COLUMNS.map((c) => [c.header, c.note]),
    ["示例", COLUMNS.map((c) => c.example).join("　")],
  ]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}
