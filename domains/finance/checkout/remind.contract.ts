import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const bills = callsAt("/billing/api/v3/bill", "bill");

/** Chosen bills, or all that are late of some customers in the stores asked for. */
export const chosen = z.object({
  billIds: f.ids().max(2000, "一次最多催缴2000笔").optional(),
  partyIds: f.ids().max(200, "一次最多催缴200位客户").optional(),
  villageIds: f.ids().max(2000).optional(),
});

/** Or all that are late in one store. */
const whom = chosen
  .extend({ villageId: f.pick("门店").optional() })
  .refine((of) => of.billIds?.length || of.villageId || of.partyIds?.length, {
    error: "请选择账单",
    path: ["billIds"],
  });

/** What one customer is written to about one store, or why not. */
export const remindedParty = z.object({
  partyId: f.id,
  partyName: f.person("客户"),
  villageName: f.text("门店"),
  bills: f.number("账单", { unit: "笔" }),
  amount: f.money("逾期未收"),
  since: f.day("最早应收日"),
  phone: f.phone("手机"),
  refusal: z.string().nullable(),
});

const reply = z.object({
  parties: z.array(remindedParty),
  /** Messages that go out. */
  messages: f.number("短信", { unit: "条" }),
  amount: f.money("逾期未收"),
  /** When they go out, where it is too early or too late for messages to customers. */
  at: f.instant("发送时间").nullable(),
});

export const previewRemind = bills.post("/batch/remind/preview", "试算催缴", "26.edit", {
  effect: "read",
  body: whom,
  reply,
});

export const remindBills = bills.post("/batch/remind", "催缴账单", "26.edit", {
  timeout: 60_000,
  body: whom,
  reply,
});
export type Whom = z.output<typeof remindBills.body>;
