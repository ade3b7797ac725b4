import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import type { LineKind } from "../bill/bill.rules.ts";
import { billRow } from "./bills.contract.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";

const bill = callsAt("/billing/api/v3/bill/:id");

export const LINE_KIND: Words<LineKind> = {
  normal: ["费用", "grey"],
  adjust: ["调整", "grey"],
  trim: ["缩短租期", "grey"],
  lateFee: ["滞纳金", "grey"],
};
export const ALLOCATION_KIND = {
  money: ["收款", "grey"],
  deposit: ["押金抵扣", "grey"],
  earnest: ["定金转入", "grey"],
  writeOff: ["核销", "grey"],
} as const satisfies Words;

const said = z.tuple([z.string(), z.string()]);

export const billLine = z.object({
  id: f.id,
  feeSubjectId: f.id,
  subject: f.text("费用"),
  subjectKind: z.string(),
  kind: f.status("类别", LINE_KIND),
  roomName: f.room("房间").nullable(),
  periodStart: f.day("计费期起").nullable(),
  periodEnd: f.day("计费期止").nullable(),
  taxWord: f.text("税率"),
  tax: f.money("税额"),
  amount: f.money("金额"),
  adjusted: f.money("减免调整"),
  settled: f.money("已收"),
  writtenOff: f.money("核销"),
  outstanding: f.money("未收"),
  adjustsLineId: f.id.nullable(),
  reason: f.text("原因"),
  createdAt: f.instant("时间"),
  operator: f.person("操作人"),
  said: z.array(said),
});

const allocation = z.object({
  id: f.id,
  date: f.day("日期"),
  kind: f.status("方式", ALLOCATION_KIND),
  flowId: f.id.nullable(),
  flowNo: f.link("流水号").nullable(),
  channel: f.status("渠道", CHANNELS).nullable(),
  paidOn: f.day("支付日").nullable(),
  subject: f.text("费用"),
  amount: f.money("金额"),
  undoesId: f.id.nullable(),
  undone: f.flag("已撤销"),
  operator: f.person("经办人"),
});

const segment = z.object({
  from: f.day("起"),
  to: f.day("止"),
  because: f.text("分段原因"),
  principal: f.money("欠款本金"),
  days: f.number("天数"),
  rate: f.text("日利率"),
  fee: f.money("滞纳金"),
});

export const billDetail = billRow.extend({
  lateFee: f.money("预计滞纳金", { help: "按今天试算，尚未入账" }),
  partyPhone: f.phone("手机"),
  issuedAt: f.instant("出账时间").nullable(),
  graceDays: f.number("宽限期", { unit: "天" }),
  lateFeeRate: f.text("滞纳金日利率"),
  lateFeeCap: f.percent("滞纳金上限"),
  disputedFrom: f.day("争议起").nullable(),
  disputedTo: f.day("争议止").nullable(),
  remark: f.text("备注"),
  voidReason: f.text("作废原因").nullable(),
  voidedAt: f.instant("作废时间").nullable(),
  createdAt: f.instant("生成时间"),
  creator: f.person("生成人"),
  /** Days overdue after which it may be written off, from the village's settings. */
  writeOffMinDays: z.number().int(),
  today: z.string(),
  lines: z.array(billLine),
  allocations: z.array(allocation),
  late: z.object({
    segments: z.array(segment),
    days: f.number("天数"),
    total: f.money("滞纳金合计"),
    frozen: f.money("已入账"),
    expected: f.money("未入账"),
    capped: f.flag("已到上限"),
  }),
  entries: z.array(entryShown),
  log: z.array(momentShown),
});

export const getBill = bill.get("", "账单详情", "26.get", {
  reply: billDetail,
});

export const explainBill = bill.get("/explain", "重算账单", "26.get", {
  reply: z.object({
    at: f.instant("重算时间"),
    lines: z.array(
      z.object({
        id: f.id,
        said: z.array(said),
        amount: f.money("账单金额"),
        /** null: typed in by hand, nothing to work out. */
        again: f.money("重算金额").nullable(),
        diff: f.money("相差"),
      }),
    ),
  }),
});
