import { COLUMNS, MOST_ROWS, SHEET } from "./columns.rules.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const xlsxReply = (name: string, body: Uint8Array) => ({ name, type: XLSX, body });

/** The empty sheet with its headings, notes and choices, and a page that explains it. */
export async function templateFile(): Promise<Uint8Array> {
  const { default: excel } = await import("exceljs");
  const book = new excel.Workbook();
  const sheet = book.addWorksheet(SHEET, { views: [{ state: "frozen", ySplit: 1 }] });
  sheet.columns = COLUMNS.map((c) => ({
    header: c.must ? `${c.header}*` : c.header,
    width: Math.max(12, c.header.length * 2 + 4),
  }));
  COLUMNS.forEach((column, i) => {
    const letter = sheet.getColumn(i + 1).letter;
    const head = sheet.getCell(`${letter}1`);
    head.font = { bold: true };
    if (column.note) head.note = column.note;
    // numbers that are names of things stay text: a phone is no amount
    sheet.getColumn(i + 1).numFmt = "@";
    if (column.words)
      for (let row = 2; row <= 200; row++)
        sheet.getCell(`${letter}${row}`).dataValidation = {
          type: "list",
          allowBlank: !column.must,
          formulae: [
            `"${Object.values(column.words)
              .map(([word]) => word)
              .join(",")}"`,
          ],
        };
  });
  const help = book.addWorksheet("说明");
  help.columns = [{ width: 18 }, { width: 60 }];
  help.addRows([
    ["填写说明", ""],
    ["必填", "列名带 * 的为必填"],
    ["行数", `一次最多 ${MOST_ROWS} 行，文件不超过10M`],
    ["公式", "不支持公式和合并单元格，请粘贴为数值"],
    ["结果", "任何一行有错误时全部不导入，按行列列出错误"],
    ...COLUMNS.filter((c) => c.note ?? c.words).map((c) => [
      c.header,
      c.note ??
        Object.values(c.words!)
          .map(([word]) => word)
          .join("、"),
    ]),
    ["示例", "张雅婷 13812345678 身份证 … 来源：上门"],
  ]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}
