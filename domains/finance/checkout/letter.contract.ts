import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { chosen } from "./remind.contract.ts";

const bills = callsAt("/billing/api/v3/bill", "bill");

const body = chosen.refine((of) => of.billIds?.length || of.partyIds?.length, {
  error: "请选择账单",
  path: ["billIds"],
});

/** One letter: all that is late of one contract. */
export const letter = z.object({
  contractId: f.id,
  contractNo: f.text("合同号"),
  partyName: f.person("客户"),
  villageName: f.text("门店"),
  rooms: f.room("房间"),
  bills: f.number("账单", { unit: "笔" }),
  amount: f.money("逾期未收"),
  since: f.day("最早应收日"),
});

/** A chosen bill that no letter is about. */
export const leftOut = z.object({ billId: f.id, billNo: f.text("账单号"), why: f.text("原因") });

// who may read the contract may print its letter, in the words of the store's template; the domain that keeps those answers
const shared = {
  effect: "read",
  timeout: 120_000,
  body,
} as const;
const readers = ["9.get", "11.get", "107.get"] as const;

export const previewLetters = bills.post("/batch/dunningLetter/preview", "试算催缴函", readers, {
  ...shared,
  reply: z.object({ letters: z.array(letter), leftOut: z.array(leftOut) }),
});

/** As one PDF, each letter on pages of its own. */
export const printLetters = bills.post("/batch/dunningLetter", "批量打印催缴函", readers, {
  ...shared,
  // two thousand letters take some eight seconds
  perMinute: 10,
});
export type Chosen = z.output<typeof printLetters.body>;
