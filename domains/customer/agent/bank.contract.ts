import * as f from "../../../platform/kernel/field.ts";
import { bankCard } from "../../../platform/kernel/contact.ts";
import type { z } from "zod";

/** Where an agency or an agent is paid to; all of it or nothing. */
export const bankFields = {
  bankHolder: f.remark("户名", 50).default(""),
  bankName: f.remark("开户银行", 30).default(""),
  bankBranch: f.remark("开户支行", 50).default(""),
  bankNo: f.checked("银行账号", bankCard, { max: 30, secrecy: "bank" }).nullish(),
};

type Bank = { bankHolder: string; bankName: string; bankNo?: string | null | undefined };

/** A number needs its holder and its bank. */
export function bankTogether(bank: Bank, ctx: z.RefinementCtx): void {
  if (!bank.bankNo) return;
  if ([...bank.bankHolder].length < 2)
    ctx.addIssue({ code: "custom", path: ["bankHolder"], message: "户名长度为2到50个字" });
  if (!bank.bankName) ctx.addIssue({ code: "custom", path: ["bankName"], message: "请输入开户银行" });
}

export const bankShown = {
  bankHolder: f.text("户名"),
  bankName: f.text("开户银行"),
  bankBranch: f.text("开户支行"),
  bankNo: f.bankCardNo("银行账号"),
};
