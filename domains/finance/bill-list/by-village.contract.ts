import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { billFilter, listBills } from "./bill.contract.ts";

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
  target: f
    .percent("目标收缴率", { help: "目标管理中应收日所在月份的收缴率目标，跨月时为各月平均" })
    .nullable(),
  uninvoiced: f.money("未开票"),
});
export type VillageBills = z.output<typeof row>;

/** The same bills as the list's, a row for each store. */
export const billsByVillage = callsAt("/billing/api/v3/bill/byVillage").get("", "门店账单列表", "26.query", {
  query: pageQuery("overdue", "amount", "outstanding", "rate").extend({
    ...shared,
    dueMonth: filter.by(f.monthInput("应收月").optional(), { kind: "month", title: "应收月" }),
  }),
  reply: pageReply(row, row.omit({ id: true, villageName: true, target: true })),
});

const exported = { title: "账单管理（门店）", needs: "26.export", list: billsByVillage } as const;
export const exportBillsByVillage = exportOf({ ...exported, type: "billByVillage" });
/** The same, and the bills of each store on a sheet of their own. */
export const exportVillagesBills = exportOf({
  ...exported,
  type: "billOfVillages",
  path: `${billsByVillage.path}/bills/export`,
  each: {
    list: listBills,
    by: "villageIds",
    name: "villageName",
    columns: [
      "billNo",
      "roomName",
      "partyName",
      "contractNo",
      "subjects",
      "periodStart",
      "periodEnd",
      "dueDate",
      "daysOverdue",
      "amount",
      "adjusted",
      "settled",
      "writtenOff",
      "outstanding",
      "status",
      "tags",
      "invoiced",
      "issueDate",
    ],
    query: ({ dueMonth, ...query }) =>
      dueMonth ? { ...query, dueFrom: firstOf(dueMonth), dueTo: lastOf(dueMonth) } : query,
  },
});
