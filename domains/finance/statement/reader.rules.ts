import type { Day } from "../../../platform/kernel/day.ts";
import { alipayComments, alipayOf } from "./alipay.rules.ts";
import { bankOf, isBankHeader, lackingOf } from "./bank.rules.ts";
import { plain } from "./cell.rules.ts";
import {
  columnsOf,
  type Fault,
  type Format,
  type Of,
  type Reading,
  type StatementLine,
} from "./format.rules.ts";
import type { Template } from "./template.rules.ts";
import { tillOf } from "./till.rules.ts";
import { wechatOf } from "./wechat.rules.ts";

/** A line of the file: as text where it is text, as cells where it comes from a sheet. */
export type FileLine = { no: number; text: string; cells: (separator: Separator) => string[] };
export type Separator = "," | "\t";

/** The header stands among so many first lines. */
export const HEADER_WITHIN = 30;
/** So many wrong cells are named; the file is refused with the first. */
export const MOST_FAULTS = 500;
/** Lines of one file: sums over them stay exact. */
export const MOST_LINES = 500_000;
/** Letters of a cell that the database looks lines up by. */
const MOST_LOOKED_UP = 200;
const LOOKED_UP = [
  "outTradeNo",
  "channelTradeNo",
  "channelRefundNo",
  "counterName",
  "counterAccount",
] as const satisfies readonly (keyof StatementLine)[];
export const UNKNOWN = "无法识别的账单格式，请选择格式或使用银行模板";

/** What a whole file comes to. */
export type Outcome = {
  format: Format;
  lines: number;
  sumIn: number;
  sumOut: number;
  /** Of all lines, fees given back taken off. */
  sumFee: number;
  /** YYYY-MM-DD: the days that the file says it is about, else those of its lines; empty where it says none and has none. */
  from: string;
  to: string;
  /** Whether the file itself says which days it is about. */
  stated: boolean;
  faults: Fault[];
  faultCount: number;
  /** Why nothing of the file can be taken. */
  refusal?: string;
  /** What wants a person's yes and a note. */
  warnings: string[];
};
/** `template`: how the file of a bank is read, instead of by the names that banks use. `today`: no file tells of later days. */
export type Choice = {
  format?: Format | undefined;
  template?: Template | undefined;
  today?: Day | undefined;
};

const isLookedUp = (line: StatementLine, cell: string): boolean =>
  line.rowKey.includes(cell) || LOOKED_UP.some((field) => line[field] === cell);

/**
 * Reads a statement line after line in bounded memory: `take` answers what a line tells, `end` what the file comes to.
 * Columns are found by the names in the header, never by their place; a file without its totals, or with others, is refused.
 */
export function statementReader(of: Of, choice: Choice = {}, most = MOST_LINES) {
  const comments = alipayComments();
  const faults: Fault[] = [];
  const sum = { lines: 0, in: 0, out: 0, fee: 0, faults: 0 };
  let from = "";
  let to = "";
  let reading: Reading | undefined;
  let separator: Separator = ",";
  let refusal: string | undefined;
  let seen = 0;
  /** Cells of the header. */
  let width = 0;

  /** The header that a template describes; where there is none, the line that came nearest says what it lacks. */
  let nearest: string | undefined;
  const beginAs = (line: FileLine, template: Template): void => {
    if (line.no <= template.skipLines) return;
    for (const each of [",", "\t"] as const) {
      const cells = line.cells(each);
      const missing = lackingOf(template, cells);
      if (missing === undefined) {
        const found = bankOf(columnsOf(cells), template);
        if (typeof found === "string") refusal = found;
        else start(found, cells, each);
        return;
      }
      if (!nearest || missing.length < nearest.length) nearest = missing;
    }
  };
  const start = (found: Reading, cells: readonly string[], each: Separator): void => {
    reading = found;
    separator = each;
    width = cells.length;
    while (width && !plain(cells[width - 1]!)) width--;
  };

  /** The format whose header this is. */
  const begin = (line: FileLine): void => {
    if (choice.template) return beginAs(line, choice.template);
    for (const each of [",", "\t"] as const) {
      const cells = line.cells(each);
      const names = columnsOf(cells);
      const found =
        (of.kind === "bank"
          ? undefined
          : (wechatOf(names, of) ?? alipayOf(names, of, comments) ?? tillOf(names))) ??
        (of.kind === "bank" && isBankHeader(cells) ? bankOf(names) : undefined);
      if (found === undefined) continue;
      if (typeof found === "string") refusal = found;
      else if (choice.format && found.format !== choice.format) refusal = "文件格式与所选格式不符";
      else if (of.kind !== "bank" && !found.format.startsWith(of.kind)) refusal = "账单的渠道与所选账户不符";
      else start(found, cells, each);
      return;
    }
  };

  const take = (line: FileLine): StatementLine[] => {
    if (refusal || plain(line.text) === "") return [];
    if (!reading) {
      if (comments.take({ no: line.no, text: line.text, cells: [] })) return [];
      if (++seen > HEADER_WITHIN) {
        refusal = nearest ?? UNKNOWN;
        return [];
      }
      begin(line);
      return [];
    }
    const cells = line.cells(separator);
    if (reading.aside?.({ no: line.no, text: line.text, cells })) return [];
    const before = sum.faults;
    const say = (column: string, content: string, reason: string): undefined => {
      sum.faults++;
      if (faults.length < MOST_FAULTS)
        faults.push({ line: line.no, column, content: content.slice(0, 60), reason });
    };
    const { columns } = reading;
    if (cells.length < width) {
      say("", line.text, `列数不足(${cells.length}/${width})`);
      return [];
    }
    // a separator too many: what stands behind it is read in the wrong column
    if (reading.format === "bank" ? cells.slice(width).some((cell) => plain(cell)) : cells.length > width) {
      say("", line.text, `列数不符(${cells.length}/${width})`);
      return [];
    }
    const raw = cells.map(plain);
    const get = (column: string): string => raw[columns.get(column) ?? -1] ?? "";
    const lines = reading.row({
      no: line.no,
      raw,
      get,
      say: (column, reason) => say(column, get(column), reason),
    });
    for (const [i, cell] of raw.entries())
      if (cell.length > MOST_LOOKED_UP && lines.some((one) => isLookedUp(one, cell)))
        say(
          [...columns].find(([, at]) => at === i)?.[0] ?? "",
          cell,
          `内容过长（最多${MOST_LOOKED_UP}个字）`,
        );
    if (sum.faults > before) return [];
    if (sum.lines + lines.length > most) {
      refusal = `文件超过${MOST_LINES / 10_000}万行，请分日下载后再上传`;
      return [];
    }
    for (const one of lines) {
      sum.lines++;
      sum[one.direction] += one.amount;
      sum.fee += one.fee;
      const day = one.occurredAt.slice(0, 10);
      if (!from || day < from) from = day;
      if (day > to) to = day;
    }
    return lines;
  };

  /** From the first day to the last, of what the file says and of its lines. */
  const daysTold = (): Pick<Outcome, "from" | "to" | "stated"> => {
    const period = reading?.period?.();
    if (!period || (choice.today && period.from > choice.today)) return { from, to, stated: false };
    const last = choice.today && period.to > choice.today ? choice.today : period.to;
    return {
      from: from && from < period.from ? from : period.from,
      to: to > last ? to : last,
      stated: true,
    };
  };

  const end = (): Outcome => ({
    format: reading?.format ?? "bank",
    lines: sum.lines,
    sumIn: sum.in,
    sumOut: sum.out,
    sumFee: sum.fee,
    ...daysTold(),
    faults,
    faultCount: sum.faults,
    refusal: refusal ?? (reading ? (sum.faults ? undefined : reading.refusal?.()) : (nearest ?? UNKNOWN)),
    warnings: reading?.warnings?.() ?? [],
  });
  /** Nothing of the file can be taken any more. */
  const isWrong = (): boolean => refusal !== undefined || sum.faults > 0;
  /** What it is, once its header has been read. */
  const format = (): Format | undefined => reading?.format;
  return { take, end, isWrong, format };
}
