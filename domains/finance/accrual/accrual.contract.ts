import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const accrual = callsAt("/billing/api/v3/accrual", "accrual");

export const monthOfVillages = z.object({
  villageIds: f.ids().min(1, "请选择门店").max(2000),
  month: f.monthInput("月份"),
});

/** Brings the books of some stores up to the end of a month; as often as one likes. */
export const accrueMonth = accrual.post("/run", "计提收入", "#20003", {
  body: monthOfVillages,
  reply: z.object({
    /** Stores that were accrued; those whose month is locked stay as they are. */
    villages: z.number().int(),
    rows: z.number().int(),
    gross: f.money("本期确认"),
    net: f.money("不含税收入"),
    tax: f.money("税额"),
  }),
  timeout: 600_000,
});

/** Declares what tax of a month no invoice was issued for, where the tax point asks for it. */
export const declareMonth = callsAt("/billing/api/v3/taxDeclare", "accrual").post(
  "/run",
  "申报未开票税金",
  "#20003",
  {
    body: monthOfVillages,
    reply: z.object({ villages: z.number().int(), lines: z.number().int(), tax: f.money("申报税额") }),
    timeout: 600_000,
  },
);
