import { type BookSheet, valuesXml } from "../../../platform/server/sheets/book.ts";
import { STYLE } from "../../../platform/server/sheets/cell.ts";
import type { Preview } from "./preview.contract.ts";

const HEADS = ["期次", "账单", "计费期起", "计费期止", "应收日", "科目", "房间", "金额（元）", "计算说明"];

const AMOUNT = HEADS.indexOf("金额（元）");
const styleOf = (bold: boolean) => (column: number) =>
  column === AMOUNT ? (bold ? STYLE.sums.money : STYLE.money) : bold ? STYLE.sums.text : undefined;

/** The bills of a preview line by line, as step 6 of the contract form shows them, with their sum. */
export function billSheet({ added }: Preview, rooms: ReadonlyMap<number, string>): BookSheet {
  const lines = added.flatMap((bill) => bill.lines.map((line) => ({ bill, line })));
  const rows = lines.map(({ bill, line }) => [
    ...[bill.periodNo, bill.title, line.from, line.to, bill.dueOn ?? "签约当日", line.subject],
    ...[line.roomId === null ? "" : (rooms.get(line.roomId) ?? ""), line.amount / 100, line.how],
  ]);
  const sum = lines.reduce((total, { line }) => total + line.amount, 0);
  const all = [HEADS, ...rows, ["合计", "", "", "", "", "", "", sum / 100, ""]];
  return {
    name: "账单明细",
    frozen: { rows: 1 },
    columns: [6, 18, 12, 12, 12, 12, 18, 14, 60].map((width) => ({ width })),
    rows: all.map((row, i) => valuesXml(i + 1, row, styleOf(i === 0 || i === all.length - 1))),
  };
}
