import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { companyCalls } from "../company/company.contract.ts";

const statements = callsAt(`${companyCalls.base}/:id/statement`, "company");

const period = {
  from: f.dayInput("起始日"),
  to: f.dayInput("截止日"),
  villageIds: idList,
};
const inOrder = ({ from, to }: { from: string; to: string }) => from <= to;
const ORDER = { message: "截止日不能早于起始日", path: ["to"] };

const sums = {
  opening: f.money("期初欠款"),
  billed: f.money("本期应收"),
  collected: f.money("本期收款"),
  credited: f.money("本期减免", { help: "减免、调整、缩短租期和核销" }),
  closing: f.money("期末欠款", { help: "期初欠款 + 本期应收 − 本期收款 − 本期减免" }),
};
/** A room and a fee; a bill without a room stands under its store alone. */
export const statementRow = z.object({
  villageName: f.text("门店"),
  roomName: f.room("房间"),
  subject: f.text("费用"),
  ...sums,
});

const copy = z.object({
  id: f.id,
  fromDay: f.day("起始日"),
  toDay: f.day("截止日"),
  closing: f.money("确认欠款"),
  createdName: f.person("上传人"),
  createdAt: f.instant("上传时间"),
});

export const getStatement = statements.get("", "企业对账单", "113.get", {
  target: "company",
  query: pageQuery("roomName").extend(period).refine(inOrder, ORDER),
  reply: pageReply(statementRow, z.object(sums)),
});

export const exportStatement = exportOf({
  type: "companyStatement",
  title: "企业对账单",
  needs: "113.export",
  list: getStatement,
  filters: { from: "起始日", to: "截止日" },
});

/** The same on paper, to be stamped. */
export const statementPaper = statements.get("/paper", "企业对账单PDF", "113.get", {
  target: "company",
  query: z.object(period).refine(inOrder, ORDER),
});

/** Copies that companies have stamped. */
export const listCopies = statements.get("/copy", "已确认的对账单", "113.get", {
  target: "company",
  reply: z.array(copy),
});

/** The stamped paper, for whoever sees all the stores that it is over. */
export const statementCopyFile = statements.get("/copy/:copyId/file", "查看对账单盖章件", "113.get", {
  target: "company",
  params: oneRecord.extend({ copyId: z.coerce.number().pipe(f.id) }),
});

export const confirmStatement = statements.post("/copy", "登记对账单盖章件", "113.edit", {
  body: z
    .object({
      from: period.from,
      to: period.to,
      villageIds: z.array(f.id).max(500).default([]),
      /** What the stamped paper says; the figures of today must say the same. */
      closing: z.number().int(),
      fileId: f.pick("盖章件").meta({ title: "盖章件", kind: "file" }),
    })
    .refine(inOrder, ORDER),
  reply: z.object({ id: f.id }),
});

/** Whom an e-mail would reach: the contacts that get the company's bills. */
export const statementReceivers = statements.get("/send", "对账单收件人", "113.edit", {
  target: "company",
  reply: z.object({
    receivers: z.array(z.object({ name: f.person("联系人"), email: f.text("邮箱") })),
    /** No mail service is connected: what is sent stays in the outbox. */
    kept: z.boolean(),
  }),
});

export const sendStatementMail = statements.post("/send", "邮件发送对账单", "113.edit", {
  body: z
    .object({
      from: period.from,
      to: period.to,
      villageIds: z.array(f.id).max(500).default([]),
    })
    .refine(inOrder, ORDER),
  /** Addresses it goes to now, and those the same figures went to earlier today. */
  reply: z.object({ sent: z.number().int(), already: z.number().int() }),
});
