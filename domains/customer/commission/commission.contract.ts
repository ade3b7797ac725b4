import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { AGENCIES } from "../agent/agency.contract.ts";
import { AGENTS } from "../agent/agent.contract.ts";
import { COMMISSION_KINDS, COMMISSION_STATES } from "../commission-rule/commission.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const billed = callsAt("/billing/api/v3/commission", "commission");
const at = callsAt("/customer/api/v3/commission", "commission");

const row = z.object({
  id: f.id,
  number: f.link("编号"),
  kind: f.status("类型", COMMISSION_KINDS),
  agentId: f.id,
  agentName: f.link("经纪人"),
  agencyId: f.id.nullable(),
  agencyName: f.link("机构"),
  villageName: f.text("门店"),
  contractId: f.id,
  contractKind: z.enum(["renter", "company", "merchant"]),
  contractNo: f.link("合同"),
  roomId: f.id.nullable(),
  roomName: f.room("房间"),
  signedOn: f.day("签约日"),
  base: f.money("基数"),
  ruleName: f.text("规则"),
  amount: f.money("佣金"),
  payableFrom: f.day("可付日"),
  state: f.status("状态", COMMISSION_STATES),
  billId: f.id.nullable(),
  billNo: f.link("应付账单"),
  flowId: f.id.nullable(),
  flowNo: f.link("付款流水"),
  /** What has not been taken back yet. */
  left: f.money("未扣回"),
  /** Frozen while it waits for approval. */
  waiting: z.boolean(),
  version: f.version,
});

const payable = { kind: "days", title: "可付日", from: "payableFrom", to: "payableTo" } as const;
export const commissionFilter = z.object({
  villageIds: filter.villages(),
  agencyId: filter.record("机构", AGENCIES),
  agentId: filter.record("经纪人", AGENTS),
  state: filter.choices("状态", COMMISSION_STATES),
  payableFrom: filter.by(f.dayInput("可付日起").optional(), payable),
  payableTo: filter.by(f.dayInput("可付日止").optional(), payable),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "编号、合同、房间、客户、经纪人",
  }),
});
export type CommissionFilter = z.output<typeof commissionFilter>;
export type CommissionRow = z.output<typeof row>;

export const listCommissions = at.get("", "佣金列表", "115.query", {
  query: pageQuery("createdAt", "signedOn", "payableFrom", "amount").extend(commissionFilter.shape),
  reply: pageReply(
    row,
    z.object({
      amount: f.money("佣金"),
      owed: f.money("待结算"),
      settling: f.money("结算中"),
      paid: f.money("已支付"),
      clawed: f.money("已扣回"),
      void: f.money("已作废"),
    }),
  ),
});

export const exportCommissions = exportOf({
  type: "commission",
  title: "佣金",
  needs: "115.export",
  list: listCommissions,
});

const explain = z.object({ rule: z.string(), inputs: z.string(), formula: z.string() });
export const getCommission = at.get("/:id", "佣金详情", ["115.get", "115.query"], {
  target: "commission",
  reply: row.extend({
    explain,
    reason: f.text("原因"),
    partyName: f.text("签约客户"),
    ownerName: f.person("负责人"),
    createdAt: f.instant("产生时间"),
    /** The lines that take it back, and the one that this line takes back. */
    claws: z.array(
      z.object({
        id: f.id,
        number: f.link("编号"),
        kind: f.status("类型", COMMISSION_KINDS),
        amount: f.money("金额"),
        formula: f.text("计算"),
        state: f.status("状态", COMMISSION_STATES),
      }),
    ),
  }),
});

const ids = f.ids().min(1, "请选择佣金").max(100, "一次最多100笔");
const plan = z.object({
  payeeName: z.string(),
  villageName: z.string(),
  bankText: z.string(),
  dueDate: f.day("应付日"),
  amount: f.money("应付金额"),
  lines: z.array(
    z.object({
      id: f.id,
      number: f.text("编号"),
      agentName: f.person("经纪人"),
      contractNo: f.text("合同"),
      kind: f.status("类型", COMMISSION_KINDS),
      amount: f.money("佣金"),
    }),
  ),
  hash: z.string(),
});

/** The bill that several commissions of one payee would become. */
export const previewCommissionBill = billed.post("/preview", "试算佣金账单", "115.edit", {
  effect: "read",
  body: z.object({ ids }),
  reply: plan,
});

export const billCommissions = billed.post("/bill", "生成佣金账单", "115.edit", {
  money: true,
  body: z.object({ ids, previewHash: f.token(100, "请先试算").min(1, "请先试算") }),
  reply: z.object({
    /** The first of them, under whose number the batch goes. */
    id: f.id,
    billNo: z.string().nullable(),
    /** The approval that it waits for. */
    waiting: z.string().nullable(),
  }),
});

export const voidCommission = at.put("/:id/void", "作废佣金", "115.edit", {
  body: z.object({ reason: f.reason("作废原因"), version: f.version }),
  reply: z.null(),
});

export const clawCommission = at.put("/:id/claw", "扣回佣金", "#11503", {
  body: z.object({ amount: f.amount("扣回金额"), reason: f.reason("扣回原因"), version: f.version }),
  reply: z.object({ id: f.id, number: z.string() }),
});

/** Told by contract, which stands further right: who brought a void contract earned nothing. */
export const contractVoided = event("contract.voided", z.object({ contractId: f.id, villageId: f.id }));
