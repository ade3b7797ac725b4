import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { last4, linked, token } from "../esign/open.contract.ts";
import { bytesOf } from "../../system/file/purposes.rules.ts";
import { figures, MOST_PAPERS, NET, netOf, note, part } from "./statement.contract.ts";
import { STATEMENT_STATES } from "./statement.rules.ts";

const statements = callsAt("/contract/api/v3/salesStatement", "salesStatement");

/** A link goes to the merchant by text message; it leads to a page on which this month and all others of the shop that are due are declared. */
export const sendSalesLink = statements.post("/link", "发送营业额申报链接", "107.edit", {
  body: z.object({ contractId: f.pick("合同"), monthNo: z.number().int().min(1).max(300) }),
  reply: z.object({
    id: f.id,
    phone: f.phone("手机号"),
    expiresAt: f.instant("有效至"),
    last4Of: z.enum(["certificate", "creditCode"]),
    /** Shown once: the merchant may scan it at the desk. */
    path: f.secret(z.string()),
  }),
});

export const UNDECLARED_MOST = 500;
/** The months that have ended of each shop that pays of its turnover and that the merchant has not declared yet. */
export const undeclaredSales = statements.get("/undeclared", "未申报营业额的铺位", "107.edit", {
  query: z.object({ villageIds: filter.villages() }),
  reply: z.array(
    z.object({
      contractId: f.id,
      monthNo: f.number("期"),
      month: f.month("月份"),
      contractNo: f.text("合同号"),
      villageName: f.text("门店"),
      roomNames: f.room("铺位"),
      partyName: f.person("商户"),
      state: f.status("状态", STATEMENT_STATES).nullable(),
      declareOn: f.day("申报日"),
      sentAt: f.instant("上次发送").nullable(),
    }),
  ),
});

/** What a month would cost at a turnover that is typed. */
export const trialSales = statements.post("/trial", "试算申报月份的租金", "107.edit", {
  effect: "read",
  body: z
    .object({ contractId: f.id, monthNo: z.number().int().min(1).max(300), ...figures })
    .refine((v) => netOf(v) >= 0, NET),
  reply: z.object({
    ...part,
    topUp: f.money("补差"),
    /** Band by band, in words. */
    parts: z.array(z.string()),
  }),
});

// ---- what a merchant sends, without a login -----------------------------------------------------
const open = callsAt("/contract/api/v3/esign/d", "salesStatement");
const code = { params: token };
const known = z.object({ last4 });
const monthNo = z.coerce.number().int().min(1).max(300);
/** One month of the link. */
const ofMonth = known.extend({ monthNo });

/** What anybody with the link may know. */
export const salesPage = open.get("/:token", "打开营业额申报链接", "public", {
  ...code,
  perMinute: 60,
  reply: linked.omit({ lockedMinutes: true }).extend({
    months: z.array(z.string()),
    /** Masked. */
    merchant: z.string(),
  }),
});

const paper = z.object({ id: f.id, name: z.string() });
/** A slip or an export of the till, kept with the link until the month is declared. */
export const bringPaper = open.post("/:token/file", "上传营业额附件", "public", {
  ...code,
  perMinute: 30,
  upload: { maxBytes: bytesOf("10M"), maxFiles: 1 },
  body: ofMonth,
  reply: paper,
});

/** Takes a paper off the link again; one that is not there any more is no fault. */
export const dropPaper = open.post("/:token/file/remove", "移除营业额附件", "public", {
  ...code,
  perMinute: 30,
  body: ofMonth.extend({ id: f.id }),
  reply: z.null(),
});

export const salesOpen = open.post("/:token/open", "查看待申报月份", "public", {
  ...code,
  perMinute: 30,
  body: known,
  reply: z.object({
    roomNames: z.string(),
    contractNo: z.string(),
    /** What is left out of the turnover, as agreed. */
    excludes: z.string(),
    months: z.array(
      z.object({
        no: f.number("期"),
        month: z.string(),
        from: f.day("起"),
        to: f.day("止"),
        /** Why it was given back. */
        reason: z.string(),
        /** What stands: declared, or given back to be put right. */
        standing: z
          .object({
            net: z.number(),
            gross: z.number(),
            refunds: z.number(),
            excluded: z.number(),
            note: z.string(),
          })
          .nullable(),
        /** What was brought and not declared yet. */
        papers: z.array(paper),
        /** Why it cannot be declared here. */
        why: z.string().nullable(),
      }),
    ),
  }),
});

export const salesDeclare = open.post("/:token/declare", "商户申报营业额", "public", {
  ...code,
  perMinute: 20,
  body: ofMonth
    .extend({
      ...figures,
      note,
      /** Those of the papers brought that belong to it. */
      papers: f.ids().max(MOST_PAPERS).default([]),
    })
    .refine((v) => netOf(v) >= 0, NET),
  reply: z.object({ said: z.string() }),
});
