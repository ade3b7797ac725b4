import { sql } from "kysely";
import type { FileReply } from "../../../platform/kernel/call.ts";
import { gbk } from "../../../platform/kernel/texts/gbk.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { plainRows, wholeWorkbook } from "../../../platform/server/sheets/book.ts";
import { VOUCHERS } from "../journal/journal.rules.ts";
import {
  type FileLine,
  type Format,
  kingdeeTable,
  ledgerText,
  plainTable,
  type Table,
  yonyouText,
} from "./layout.rules.ts";
import { fileLines } from "./posting.queries.ts";
import { batchOf } from "./posting.service.ts";

/** A value that a spreadsheet would take for a formula is text. */
const guarded = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
const cell = (value: string | number) =>
  typeof value === "number"
    ? value.toFixed(2).replace(/\.00$/, "")
    : `"${guarded(value).replaceAll('"', '""')}"`;
const csv = ({ head, rows }: Table) =>
  `\uFEFF${[head.join(","), ...rows.map((row) => row.map(cell).join(","))].join("\r\n")}\r\n`;
const book = ({ head, rows }: Table) =>
  wholeWorkbook([
    {
      name: "凭证",
      frozen: { rows: 1 },
      columns: head.map(() => ({ width: 14 })),
      rows: plainRows([head, ...rows], (_, i) => i === 0),
    },
  ]);

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Batches as a file of a layout, one voucher after the other. */
export async function fileOf(read: Read, ids: readonly number[], format: Format): Promise<FileReply> {
  const one = await batchOf(read, ids[0]!);
  const { rows } = await sql<{ first: string; last: string }>`
    select min(month) first, max(month) last from voucher_batch where id = any(${ids as number[]}::bigint[])`.execute(
    read.tx,
  );
  const { first, last } = rows[0]!;
  const found = await fileLines(read, ids);
  const lines: FileLine[] = found.map((line) => ({ ...line, kind: VOUCHERS[line.kind] }));
  const whose = ids.length > 1 ? `${ids.length}张过账单` : `${one.name}_${one.batchNo}_v${one.fileVersion}`;
  const name = `凭证_${first === last ? first : `${first}_${last}`}_${whose}`;
  switch (format) {
    case "xlsx":
      return { name: `${name}.xlsx`, type: XLSX, body: await book(plainTable(lines)) };
    case "csv":
      return { name: `${name}.csv`, type: "text/csv; charset=utf-8", body: csv(plainTable(lines)) };
    case "kingdee":
      return { name: `${name}_金蝶.xlsx`, type: XLSX, body: await book(kingdeeTable(lines)) };
    case "yonyou":
      return { name: `${name}_用友.txt`, type: "text/plain; charset=gbk", body: gbk(yonyouText(lines)) };
    case "ledger":
      return { name: `${name}.journal`, type: "text/plain; charset=utf-8", body: ledgerText(lines) };
  }
}
