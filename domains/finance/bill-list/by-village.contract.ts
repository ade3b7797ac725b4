import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { billFilter } from "./bill.contract.ts";

const { roomIds: _r, partyId: _p, contractId: _c, keyword: _k, ...shared } = billFilter;

const row = z.object({
  id: f.id,
  villageName: f.link("门店"),
  bills: f.number("应收笔数", { unit: "笔" }),
  amount: f.money("应收金额"),
  adjusted: f.money("减免调整"),
  settled: f.money("已收", { help: "含押金抵扣" }),
  writtenOff: f.money("核销"),
  outstanding: f.money("未收"),
  overdue: f.money("其中逾期"),
  overdueParties: f.number("逾期户数", { unit: "户" }),
  longest: f.number("最长逾期天数", { unit: "天" }).nullable(),
  /** Share of what was billed that is settled; nothing where nothing was billed. */
  rate: f.progress("收缴率", { help: "已收 ÷（应收 + 减免调整）" }).nullable(),
  uninvoiced: f.money("未开票"),
});
export type VillageBills = z.output<typeof row>;

/** The same bills as the list's, a row for each store. */
export const billsByVillage = callsAt("/billing/api/v3/bill/byVillage").get("", "门店账单列表", "26.query", {
  query: pageQuery("overdue", "amount", "outstanding", "rate").extend({
    ...shared,
    dueMonth: filter.by(f.monthInput("应收月").optional(), { kind: "month", title: "应收月" }),
  }),
  reply: pageReply(row, row.omit({ id: true, villageName: true })),
});

export const exportBillsByVillage = exportOf({
  type: "billByVillage",
  title: "账单管理（门店）",
  needs: "26.export",
  list: billsByVillage,
});
