import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { SPREAD_BASIS } from "./posting.rules.ts";

const costs = callsAt("/billing/api/v3/cost", "posting");

export const costRow = z.object({
  id: f.id,
  billNo: f.link("账单号"),
  title: f.text("费用"),
  villageId: f.id,
  villageName: f.text("门店"),
  partyName: f.person("收款方"),
  issueDate: f.day("记账日"),
  amount: f.money("金额"),
  paid: f.money("已付"),
  unpaid: f.money("未付"),
  /** Nothing where it is not spread. */
  basis: f.status("分摊方式", SPREAD_BASIS).nullable(),
  stores: f.number("分摊门店", { unit: "个" }).nullable(),
  spreadVersion: z.number().int().nullable(),
});
export type CostRow = z.output<typeof costRow>;

export const listCosts = costs.get("", "成本账单", "200.query", {
  query: pageQuery("issueDate", "amount").extend({
    villageIds: filter.villages(),
    month: filter.by(f.monthInput("月份").optional(), { kind: "month", title: "月份" }),
    keyword: filter.keyword("账单号、费用、收款方"),
  }),
  reply: pageReply(costRow, z.object({ amount: z.number(), paid: z.number(), unpaid: z.number() })),
});

export const exportCosts = exportOf({
  type: "costSpread",
  title: "成本分摊",
  needs: "200.export",
  list: listCosts,
});

const spreadBody = {
  basis: f.choice("分摊方式", SPREAD_BASIS),
  villageIds: f.ids().min(1, "请选择门店").max(500),
  /** Hundredths of a per cent of each store in the order of `villageIds`, where the shares are fixed. */
  shares: z.array(z.number().int().min(0).max(10_000)).max(500).default([]),
};
const spreadShown = z.object({
  amount: f.money("金额"),
  parts: z.array(
    z.object({
      villageId: f.id,
      villageName: f.text("门店"),
      weight: f.number("依据"),
      amount: f.money("分摊金额"),
    }),
  ),
  hash: z.string(),
});
export type SpreadShown = z.output<typeof spreadShown>;

export const previewSpread = costs.post("/:id/spread/preview", "分摊试算", "200.edit", {
  effect: "read",
  body: z.object(spreadBody),
  reply: spreadShown,
});
export const spreadCost = costs.post("/:id/spread", "分摊成本", "200.edit", {
  money: true,
  body: z.object({ ...spreadBody, previewHash: f.token() }),
  reply: z.object({ stores: z.number().int() }),
});
export const undoSpread = costs.delete("/:id/spread", "撤销分摊", "200.edit", {
  money: true,
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});
