import { sql } from "kysely";
import type { FileReply } from "../../../platform/kernel/call.ts";
import { kept, secrecyOfName } from "../../../platform/kernel/fields/secrecy.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { maskBank } from "../../../platform/kernel/texts/mask.ts";
import { plainRows, wholeWorkbook } from "../../../platform/server/sheets/book.ts";
import { xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import type { Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { plain } from "./cell.rules.ts";
import type { Fault, StatementLine } from "./format.rules.ts";
import { type FileLine, HEADER_WITHIN } from "./reader.rules.ts";
import type { StatementPreview } from "./statement.contract.ts";
import {
  accountFor,
  type Asked,
  EMPTY,
  isEmpty,
  refuseKnown,
  theFile,
  through,
} from "./statement.service.ts";

const FIRST = 20;
/** Columns and letters of the first lines that a person chooses columns from. */
const MOST_CELLS = 60;
const MOST_LETTERS = 60;

/** What a file says, and how much of it is new; nothing is kept. */
export async function previewOf(
  read: Read,
  files: readonly Upload[],
  asked: Asked,
): Promise<StatementPreview> {
  const upload = theFile(files);
  const account = await accountFor(read, asked, false);
  await refuseKnown(read, account.id, upload);
  const first: StatementLine[] = [];
  const head: StatementPreview["head"] = [];
  const keys = new Set<string>();
  let held = 0;
  const outcome = await through(
    upload,
    account,
    async (lines) => {
      first.push(...lines.slice(0, FIRST - first.length));
      const fresh = lines.map((l) => l.rowKey).filter((key) => !keys.has(key) && keys.add(key));
      const { rows } = await sql<{ n: number }>`
      select count(*)::int n from statement_line
      where merchant_account_id = ${account.id} and row_key = any(${fresh}::text[])`.execute(read.tx);
      held += rows[0]!.n;
    },
    (line) => {
      if (account.of.kind === "bank" && line.no <= HEADER_WITHIN) head.push(...cellsShown(line));
    },
  );
  const refusal = outcome.refusal ?? (outcome.faultCount || !isEmpty(outcome) ? "" : EMPTY);
  return {
    format: outcome.format,
    encoding: outcome.encoding,
    lineCount: outcome.lines,
    newCount: keys.size - held,
    sumIn: outcome.sumIn,
    sumOut: outcome.sumOut,
    sumFee: outcome.sumFee,
    dateFrom: outcome.from,
    dateTo: outcome.to,
    stated: outcome.stated,
    faults: outcome.faults,
    faultCount: outcome.faultCount,
    refusal,
    warnings: outcome.warnings,
    head,
    first: first.map((l) => ({
      lineNo: l.lineNo,
      occurredAt: l.occurredAt,
      direction: l.direction,
      amount: l.amount,
      fee: l.fee,
      number: l.outTradeNo ?? l.channelTradeNo ?? "",
      counter: l.counterName ?? l.counterAccount ?? "",
      summary: l.summary ?? "",
      raw: l.raw.join(" | ").slice(0, 500),
    })),
  };
}

/** A line of a file cell by cell. */
function cellsShown({ no, cells }: FileLine): StatementPreview["head"] {
  const [byComma, byTab] = [cells(","), cells("\t")];
  const found = (byTab.length > byComma.length ? byTab : byComma).slice(0, MOST_CELLS);
  return found.some((cell) => plain(cell))
    ? [{ line: no, cells: found.map((cell) => plain(cell).slice(0, MOST_LETTERS)) }]
    : [];
}

/** Numbers of accounts and persons as an export shows them. */
const masked = ({ column, content }: Fault): string => {
  const secrecy = secrecyOfName(column) ?? (/账号|卡号/.test(column) ? "bank" : undefined);
  return secrecy ? String(kept(secrecy, content)) : content.replaceAll(/\d{12,}/g, maskBank);
};

/** The lines at fault as a sheet: where, in which column, what stands there and why it cannot be read. */
export async function faultSheet(read: Read, files: readonly Upload[], asked: Asked): Promise<FileReply> {
  const upload = theFile(files);
  const account = await accountFor(read, { ...asked, mode: "any" }, false);
  const { faults, faultCount } = await through(upload, account, async () => {});
  if (!faults.length) throw new Refusal("notAllowed", "文件没有错误行");
  const more = faultCount - faults.length;
  const rows = [
    ["行号", "列", "内容", "原因"],
    ...faults.map((fault) => [fault.line, fault.column || "整行", masked(fault), fault.reason]),
    ...(more > 0 ? [["", "", "", `另有 ${more} 处错误未列出，改正以上各处后再上传`]] : []),
  ];
  const sheet = {
    name: "错误行",
    frozen: { rows: 1 },
    columns: [{ width: 10 }, { width: 20 }, { width: 40 }, { width: 30 }],
    rows: plainRows(rows, (_, i) => i === 0),
  };
  const name = upload.name.replace(/\.\w{1,5}$/, "") || "对账单";
  return xlsxReply(`${name}-错误行.xlsx`, await wholeWorkbook([sheet]));
}
