import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { STATEMENT_MODE } from "../account/account.rules.ts";
import { FORMAT, type Format } from "./format.rules.ts";

const statements = callsAt("/billing/api/v3/statement", "statement");
const bytes = 30 * 1024 * 1024;

export const statementBody = z.object({
  merchantAccountId: z.coerce.number("请选择账户").pipe(f.pick("账户")),
  format: f.choice("格式", FORMAT).optional(),
});

const sums = {
  format: f.status("格式", FORMAT),
  lineCount: f.number("笔数"),
  newCount: f.number("新增"),
  sumIn: f.money("收入"),
  sumOut: f.money("支出"),
  sumFee: f.money("手续费"),
};
export const fault = z.object({
  line: z.number().int(),
  column: z.string(),
  content: z.string(),
  reason: z.string(),
});
/** What a file says, before anything of it is taken. */
export const statementPreview = z.object({
  ...sums,
  encoding: z.string(),
  dateFrom: z.string(),
  dateTo: z.string(),
  /** Wrong cells, the first 500 of them. */
  faults: z.array(fault),
  faultCount: z.number().int(),
  /** Why the file cannot be taken as a whole. */
  refusal: z.string(),
  /** What wants a note before it is taken. */
  warnings: z.array(z.string()),
  /** Its first lines as they were read, beside what stands in the file. */
  first: z.array(
    z.object({
      lineNo: z.number().int(),
      occurredAt: z.string(),
      direction: z.enum(["in", "out"]),
      amount: z.number().int(),
      fee: z.number().int(),
      number: z.string(),
      counter: z.string(),
      summary: z.string(),
      raw: z.string(),
    }),
  ),
});
export type StatementPreview = z.output<typeof statementPreview>;

/** How a statement comes. */
export const fileUpload = {
  upload: { maxBytes: bytes, maxFiles: 1 },
  timeout: 300_000,
  perMinute: 30,
} as const;
export const previewStatement = statements.post("/preview", "试读对账单", "25.import", {
  ...fileUpload,
  effect: "read",
  body: statementBody,
  reply: statementPreview,
});
export const importStatement = statements.post("", "导入对账单", "25.import", {
  ...fileUpload,
  money: true,
  body: statementBody.extend({
    /** Why a file whose balances have a gap is taken all the same. */
    note: f.remark("说明", 200).default(""),
  }),
  reply: z.object({ id: f.id, statementNo: z.string(), lineCount: z.number(), newCount: z.number() }),
});
export const undoStatement = statements.delete("/:id", "撤销导入对账单", "25.import", {
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});

const row = z.object({
  id: f.id,
  statementNo: f.link("批次号"),
  accountName: f.text("账户"),
  mode: f.status("对账方式", STATEMENT_MODE),
  ...sums,
  dateFrom: f.day("起"),
  dateTo: f.day("止"),
  fileName: f.text("文件"),
  encoding: f.text("编码"),
  note: f.text("说明"),
  creator: f.person("导入人"),
  createdAt: f.instant("导入时间"),
  undoneAt: f.instant("撤销时间").nullable(),
  version: f.version,
});
export type StatementRow = z.output<typeof row> & { format: Format };
export const listStatements = statements.get("", "对账单批次", ["25.query", "97.query"], {
  query: pageQuery("createdAt").extend({
    merchantAccountId: filter.by(z.coerce.number().int().positive().optional(), {
      kind: "record",
      title: "账户",
      source: ACCOUNTS,
    }),
    mode: filter.choice("对账方式", STATEMENT_MODE),
    keyword: filter.keyword("批次号、文件名"),
  }),
  reply: pageReply(row),
});
