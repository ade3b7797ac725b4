import { openBook } from "../../../platform/server/sheets/book.sample.ts";

export type Sides = [debit: number, credit: number];
const fen = (amount: unknown) => Math.round(Number(amount) * 100);

/** What came to each account of the general ledger, in fen. */
function summed(rows: (readonly [code: string, debit: number, credit: number])[]): Record<string, Sides> {
  const sums: Record<string, Sides> = {};
  for (const [code, debit, credit] of rows) {
    const [d, c] = sums[code] ?? [0, 0];
    sums[code] = [d + debit, c + credit];
  }
  return sums;
}

/** The sheet for Kingdee, account by account. */
export async function kingdeeSums(file: Buffer): Promise<Record<string, Sides>> {
  const [sheet] = await openBook(file);
  const [head, ...rows] = sheet!.rows.map(({ values }) => values);
  const [code, debit, credit] = ["科目代码", "借方", "贷方"].map((title) => head!.indexOf(title));
  return summed(rows.map((row) => [String(row[code!]), fen(row[debit!]), fen(row[credit!])]));
}

/** The text for Yonyou, account by account; its first line names it. */
export function yonyouSums(file: Buffer): { first: string; sums: Record<string, Sides> } {
  const [first, ...lines] = new TextDecoder("gbk").decode(file).trimEnd().split("\r\n");
  const cells = lines.map((line) => line.split(","));
  return { first: first!, sums: summed(cells.map((c) => [c[5]!, fen(c[6]), fen(c[7])])) };
}
