const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const xlsxReply = (name: string, body: Uint8Array) => ({ name, type: XLSX, body });

/** A column that people fill in: its head, whether it must be there, what it says about itself, what it may choose from. */
export type TemplateColumn = {
  title: string;
  must?: boolean | undefined;
  note?: string | undefined;
  choices?: readonly string[] | undefined;
  /** Everything else is kept as text: a phone is no amount, and a door such as 0301 keeps its zero. */
  number?: boolean | undefined;
};
export type Template = {
  sheet: string;
  columns: readonly TemplateColumn[];
  /** Rows and megabytes of one file at most. */
  rows: number;
  megabytes: number;
  /** One line that shows how it is meant. */
  example: string;
  /** Rows that stand in it already, to be changed. */
  filled?: readonly (readonly string[])[];
};

/** An empty sheet with heads, notes and choices, and a page that explains it. */
export async function sheetTemplate({
  sheet: name,
  columns,
  rows,
  megabytes,
  example,
  filled = [],
}: Template) {
  const { default: excel } = await import("exceljs");
  const book = new excel.Workbook();
  const sheet = book.addWorksheet(name, { views: [{ state: "frozen", ySplit: 1 }] });
  sheet.columns = columns.map(({ title, must }) => ({
    header: must ? `${title}*` : title,
    width: Math.max(13, title.length * 2 + 4),
  }));
  columns.forEach(({ note, number, choices, must }, i) => {
    const head = sheet.getCell(1, i + 1);
    head.font = { bold: true };
    if (note) head.note = note;
    if (!number) sheet.getColumn(i + 1).numFmt = "@";
    if (choices)
      for (let row = 2; row <= 200; row++)
        sheet.getCell(row, i + 1).dataValidation = {
          type: "list",
          allowBlank: !must,
          formulae: [`"${choices.join(",")}"`],
        };
  });
  sheet.addRows(filled.map((row) => [...row]));
  const help = book.addWorksheet("说明");
  help.columns = [{ width: 18 }, { width: 60 }];
  help.addRows([
    ["填写说明", ""],
    ["必填", "列名带 * 的为必填；列的次序可以变动"],
    ["行数", `一次最多 ${rows} 行，文件不超过${megabytes}M`],
    ["公式", "不支持公式和合并单元格，请粘贴为数值"],
    ["结果", "任何一行有错误时全部不导入，按行列列出错误"],
    ...columns.flatMap(({ title, note, choices }) => {
      const told = note ?? choices?.join("、");
      return told ? [[title, told]] : [];
    }),
    ["示例", example],
  ]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}
