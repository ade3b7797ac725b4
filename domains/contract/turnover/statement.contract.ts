import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { frozenShape } from "../../approval/examine/examine.contract.ts";
import { importCalls } from "../../system/import/import.contract.ts";
import { BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import { PAYERS } from "../../finance/payer/payer.contract.ts";
import { RENT_KINDS } from "../terms/terms.contract.ts";
import { STATEMENT_SOURCES, STATEMENT_STATES } from "./statement.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const statements = callsAt("/contract/api/v3/salesStatement", "salesStatement");

const billOf = z.object({
  id: f.id,
  billNo: f.link("账单"),
  amount: f.money("账单金额"),
  status: f.status("账单状态", BILL_STATUS),
});

/** A month of a shop: what was sold, what each rule asks for it, and the bills. */
export const monthRow = z.object({
  no: f.number("期"),
  month: f.month("月份"),
  from: f.day("起"),
  to: f.day("止"),
  /** Why it cannot be declared. */
  why: z.string().nullable(),
  id: f.id.nullable(),
  version: f.version.nullable(),
  state: f.status("状态", STATEMENT_STATES).nullable(),
  source: f.status("来源", STATEMENT_SOURCES).nullable(),
  gross: f.money("营业额").nullable(),
  refunds: f.money("退货").nullable(),
  excluded: f.money("不计").nullable(),
  declared: f.money("申报净额", { help: "营业额减去退货和不计入的金额" }).nullable(),
  audited: f.money("审定净额", { help: "确认后的净额，租金按它计算" }).nullable(),
  base: f.money("保底"),
  share: f.money("提成").nullable(),
  rent: f.money("应付租金", { help: "保底与提成按合同约定取其一" }).nullable(),
  topUp: f.money("补差", { help: "应付租金超出保底的部分，确认时出账" }).nullable(),
  note: f.text("备注"),
  files: z.array(z.object({ id: f.id, name: z.string(), type: z.string() })),
  reason: f.text("更正原因"),
  baseBill: billOf.nullable(),
  bill: billOf.nullable(),
  frozen: frozenShape.nullable(),
});

export const turnoverMonths = statements.get("/months", "商户营业额与租金", ["107.get", "106.get"], {
  /** Of all shops of a merchant, or of one contract. */
  query: z
    .object({
      merchantId: z.coerce.number().pipe(f.id).optional(),
      contractId: z.coerce.number().pipe(f.id).optional(),
    })
    .refine((q) => [q.merchantId, q.contractId].filter(Boolean).length === 1, {
      error: "请指定商户或合同之一",
    }),
  reply: z.array(
    z.object({
      contractId: f.id,
      contractNo: f.link("合同号"),
      roomNames: f.text("铺位"),
      startDate: f.day("起租日"),
      endDate: f.day("到期日"),
      rentKind: f.status("租金方式", RENT_KINDS),
      rates: f.text("扣点"),
      declareDay: f.number("申报日").nullable(),
      breakEven: f.money("盈亏平衡营业额").nullable(),
      months: z.array(monthRow),
    }),
  ),
});

const salesRow = z.object({
  id: f.id,
  month: f.month("月份"),
  contractId: f.id,
  contractNo: f.link("合同号"),
  villageName: f.text("门店"),
  partyId: f.id,
  partyName: f.person("商户"),
  roomNames: f.room("铺位"),
  gross: f.money("营业额"),
  refunds: f.money("退货"),
  excluded: f.money("不计"),
  net: f.money("净额"),
  /** Against the month before, where that was declared. */
  growth: f.percent("环比").nullable(),
  baseRent: f.money("保底").nullable(),
  turnoverRent: f.money("提成").nullable(),
  topUp: f.money("补差").nullable(),
  state: f.status("状态", STATEMENT_STATES),
  source: f.status("来源", STATEMENT_SOURCES),
  billId: f.id.nullable(),
  billNo: f.link("账单").nullable(),
  files: f.number("附件", { unit: "个" }),
  confirmedBy: f.person("确认人"),
  note: f.text("备注"),
  version: f.version,
  frozen: frozenShape.nullable(),
});

const SHOPKEEPER = filter.record("商户", { ...PAYERS, query: { kinds: "merchant" } });

/** What the shops of all merchants declared; what was corrected is shown and not summed. */
export const listSales = statements.get("", "营业额申报列表", "107.query", {
  query: pageQuery("month", "net", "topUp").extend({
    villageIds: filter.villages(),
    partyId: SHOPKEEPER,
    state: filter.choices("状态", STATEMENT_STATES),
    source: filter.choices("来源", STATEMENT_SOURCES),
    ...filter.between("monthFrom", "monthTo", f.dayInput("月份").optional(), {
      kind: "days",
      title: "月份起始",
    }),
    keyword: filter.keyword("合同号、商户、手机号、铺位"),
  }),
  reply: pageReply(
    salesRow,
    z.object({ net: f.money("净额"), turnoverRent: f.money("提成"), topUp: f.money("补差") }),
  ),
});

export const part = {
  net: f.money("净额"),
  base: f.money("保底").nullable(),
  share: f.money("提成").nullable(),
};
/** Twelve months of what the shops sold, and of every shop what its rent is of it; corrected statements are left out. */
export const salesMatrix = statements.get("/matrix", "营业额与租售比", "107.query", {
  query: z.object({
    villageIds: filter.villages(),
    partyId: SHOPKEEPER,
    state: filter.choices("状态", STATEMENT_STATES),
    source: filter.choices("来源", STATEMENT_SOURCES),
    keyword: filter.keyword("合同号、商户、手机号、铺位"),
    /** The last of the months; the month before today's where it is left out. */
    until: f.monthInput("截至月份").optional(),
  }),
  reply: z.object({
    months: z.array(z.object({ month: f.month("月份"), ...part })),
    /** How many shops there are; the first of them by rent stand below. */
    total: f.number("铺位"),
    shops: z.array(
      z.object({
        contractId: f.id,
        contractNo: f.link("合同号"),
        partyId: f.id,
        partyName: f.person("商户"),
        roomNames: f.room("铺位"),
        net: f.money("净额"),
        /** Of confirmed months. */
        rent: f.money("租金").nullable(),
        ratio: f.percent("租售比").nullable(),
        cells: z.array(
          z.object({ month: f.month("月份"), net: f.money("净额"), ratio: f.percent("租售比").nullable() }),
        ),
      }),
    ),
  }),
});

export const exportSales = exportOf({
  type: "salesStatement",
  title: "营业额申报",
  needs: "107.export",
  list: listSales,
});

export const salesImport = importCalls({
  base: "/contract/api/v3/salesStatement/import",
  title: "营业额",
  needs: "107.import",
  target: "salesImport",
  village: "请选择门店",
});

export const figures = {
  gross: f.amount("营业额", 0),
  refunds: f.amount("退货", 0).default(0),
  excluded: f.amount("不计入金额", 0).default(0),
};
export const note = f.remark("备注", 200).default("");
export const MOST_PAPERS = 10;
const fileIds = f
  .ids()
  .max(MOST_PAPERS, `附件最多${MOST_PAPERS}个`)
  .default([])
  .meta({ title: "附件", kind: "file" });
export const netOf = (v: { gross: number; refunds: number; excluded: number }) =>
  v.gross - v.refunds - v.excluded;
export const NET = { error: "净额不能为负", path: ["gross"] };
/** With 提交 it waits for confirmation, without it is a draft. */
const submit = z.boolean().default(true).meta({ title: "提交确认", kind: "flag" });

export const declaredSales = z
  .object({ contractId: f.id, monthNo: z.number().int().min(1).max(300), ...figures, note, fileIds, submit })
  .refine((v) => netOf(v) >= 0, NET);
export type DeclaredSales = z.output<typeof declaredSales>;
export const declareSales = statements.post("", "申报营业额", "107.edit", {
  body: declaredSales,
  reply: z.object({ id: f.id }),
});

export const editSales = statements.put("/:id", "修改营业额申报", "107.edit", {
  body: z.object({ ...figures, note, fileIds, submit, version: f.version }).refine((v) => netOf(v) >= 0, NET),
  reply: z.object({ id: f.id }),
});

export const submitSales = statements.post("/:id/submit", "提交营业额申报", "107.edit", {
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id }),
});

export const removeSales = statements.delete("/:id", "删除营业额草稿", "107.edit", {
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});

/** What the audit found, where it is not what was declared. */
const audited = z
  .object(figures)
  .refine((v) => netOf(v) >= 0, NET)
  .nullish();

export const salesPreview = z.object({
  net: f.money("审定净额"),
  base: f.money("保底"),
  share: f.money("提成"),
  topUp: f.money("本月补差"),
  /** Band by band, in words. */
  parts: z.array(z.string()),
  /** Billed beyond the base in the contract year so far, and what this adds or takes off. */
  charged: f.money("本年已出补差"),
  change: f.money("本次出账"),
  dueDate: f.day("应收日").nullable(),
  note: f.text("说明"),
  hash: z.string(),
});

export const previewSales = statements.post("/:id/preview", "试算营业额租金", "#10711", {
  effect: "read",
  body: z.object({ audited }),
  reply: salesPreview,
});

export const confirmSales = statements.post("/:id/confirm", "确认营业额", "#10711", {
  money: true,
  body: z.object({ audited, previewHash: f.token(64), version: f.version }),
  reply: z.object({
    id: f.id,
    billNo: z.string().nullable(),
    change: z.number().int(),
    /** Of the approval that it waits for. */
    examineNo: z.string().nullable(),
  }),
});

export const correctSales = statements.post("/:id/correct", "退回更正营业额", "#10712", {
  body: z.object({ reason: f.reason(), version: f.version }),
  /** The statement that is to be put right: the same one, or the one that replaces it. */
  reply: z.object({ id: f.id }),
});
