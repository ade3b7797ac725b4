import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { PAYERS } from "../payer/payer.contract.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import { ATTEMPT_STATE, REFUND_SOURCE, REFUND_STATE, ROUTES, TAB_KEYS } from "./refund.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

export const refunds = callsAt("/billing/api/v3/refund", "refund");
const day = f.dayInput("日期").optional();
const fen = z.coerce.number().int().optional();
/** Whoever applies and whoever pays read the same records. */
export const READS = ["108.query", "244.query"] as const;

export const refundFilter = {
  villageIds: filter.villages(),
  source: filter.choices("来源", REFUND_SOURCE),
  route: filter.choices("方式", ROUTES),
  ...filter.between("appliedFrom", "appliedTo", day, { kind: "days", title: "申请日期" }),
  ...filter.between("paidFrom", "paidTo", day, { kind: "days", title: "支付日期" }),
  ...filter.between("amountFrom", "amountTo", fen, { kind: "money", title: "金额" }),
  partyId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "客户",
    source: PAYERS,
  }),
};

export const refundRow = z.object({
  id: f.id,
  refundNo: f.link("退款单号"),
  source: f.status("来源", REFUND_SOURCE),
  sourceId: f.id,
  /** A reservation, a contract, or nothing that has a number. */
  sourceNo: f.link("来源单据").nullable(),
  reservationId: f.id.nullable(),
  contractId: f.id.nullable(),
  contractKind: z.string().nullable(),
  villageId: f.id,
  villageName: f.text("门店"),
  partyId: f.id,
  partyKind: z.string(),
  partyName: f.person("客户"),
  roomId: f.id.nullable(),
  roomName: f.room("房间").nullable(),
  amount: f.money("金额"),
  paid: f.money("已付"),
  route: f.status("方式", ROUTES),
  payeeName: f.person("收款人"),
  payeeBank: f.text("开户行"),
  payeeTail: f.text("账号"),
  reason: f.text("原因"),
  state: f.status("状态", REFUND_STATE),
  applicant: f.person("申请人"),
  createdAt: f.instant("申请时间"),
  paidAt: f.instant("支付时间").nullable(),
  failure: f.text("失败原因"),
  filedAt: f.instant("导出付款文件").nullable(),
  /** Waits for approval. */
  frozen: z.boolean(),
  version: f.version,
});
export type RefundRow = z.output<typeof refundRow>;

export const listRefunds = refunds.get("", "退款列表", READS, {
  query: pageQuery("createdAt", "amount", "paidAt").extend({
    ...refundFilter,
    tab: z.enum(TAB_KEYS).optional(),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "单号、客户、房间、收款人、账号后四位",
    }),
  }),
  reply: pageReply(
    refundRow,
    z.object({
      amount: f.money("金额"),
      approving: f.money("待审批"),
      toPay: f.money("待支付"),
      paying: f.money("支付中"),
      failed: f.money("失败"),
      paid: f.money("已退款"),
    }),
  ),
});
export type RefundQuery = z.output<typeof listRefunds.query>;
export type RefundFilter = Omit<RefundQuery, "pageNo" | "pageSize" | "sort" | "order" | "want">;

export const countRefunds = refunds.get("/count", "退款各状态笔数", READS, {
  query: listRefunds.query.omit({
    tab: true,
    pageNo: true,
    pageSize: true,
    sort: true,
    order: true,
    want: true,
  }),
  reply: z.record(z.string(), z.number()),
});

export const exportRefunds = exportOf({
  type: "refund",
  title: "退款管理",
  needs: ["108.export", "244.export"],
  list: listRefunds,
  personal: true,
  filters: { tab: "分类" },
});

const villageRow = z.object({
  id: f.id,
  villageName: f.link("门店"),
  applied: f.number("申请笔数", { unit: "笔" }),
  amount: f.money("申请金额"),
  approving: f.money("待审批"),
  toPay: f.money("待支付"),
  paying: f.money("支付中"),
  failed: f.money("失败"),
  paidCount: f.number("已退笔数", { unit: "笔" }),
  paid: f.money("已退款"),
  /** From the application to the payment. */
  days: f.number("平均用时", { unit: "天" }).nullable(),
  waiting: f.number("最长等待", { unit: "天" }).nullable(),
});

export type VillageRow = z.output<typeof villageRow>;

/** The same query, a row for each store. */
export const refundsByVillage = refunds.get("/byVillage", "门店退款列表", READS, {
  query: pageQuery("toPay", "amount", "paid").extend(refundFilter),
  reply: pageReply(villageRow, villageRow.omit({ id: true, villageName: true })),
});

export const exportRefundsByVillage = exportOf({
  type: "refundByVillage",
  title: "退款管理（门店）",
  needs: ["108.export", "244.export"],
  list: refundsByVillage,
});

export const getRefund = refunds.get("/:id", "退款详情", ["108.get", "244.get"], {
  target: "refund",
  reply: refundRow.extend({
    relation: f.text("与客户关系"),
    routeNote: f.text("方式说明"),
    approvedAt: f.instant("审批时间").nullable(),
    endReason: f.text("驳回或取消原因"),
    files: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
    parts: z.array(
      z.object({
        id: f.id,
        flowId: f.id.nullable(),
        flowNo: f.link("原流水"),
        paidOn: f.day("支付日").nullable(),
        amount: f.money("金额"),
      }),
    ),
    attempts: z.array(
      z.object({
        id: f.id,
        requestedAt: f.instant("提交时间"),
        route: f.status("方式", ROUTES),
        channelRefundNo: f.text("退款流水号"),
        accountName: f.text("账户"),
        amount: f.money("金额"),
        state: f.status("结果", ATTEMPT_STATE),
        message: f.text("说明"),
        flowId: f.id.nullable(),
        flowNo: f.link("付款流水").nullable(),
      }),
    ),
    entries: z.array(entryShown),
    log: z.array(momentShown),
  }),
});

/** An attempt to pay back is ready to be sent to its channel. */
export const refundSent = event("refund.sent", z.object({ id: f.id }));
