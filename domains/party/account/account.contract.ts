import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { bankCard } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { atVersion, EDITS, ofParty, partId, READS } from "../contact/contact.contract.ts";
import { ACCOUNT_VERIFY } from "./account.rules.ts";
const bankAccounts = callsAt("/customer/api/v3/bankAccount", "party");

const typed = z.object({
  holder: f.input("户名", 2, 50),
  bank: f.input("银行", 2, 30),
  branch: f.remark("支行", 50).default(""),
  number: f.checked("银行账号", bankCard, { max: 30, secrecy: "bank" }),
  isDefault: z.boolean().default(false).meta({ title: "默认账户", kind: "flag" }),
});
export type AccountInput = z.output<typeof typed>;

export const listAccounts = bankAccounts.get("", "银行账户", READS, {
  query: ofParty,
  reply: z.array(
    z.object({
      id: f.id,
      holder: f.text("户名"),
      bank: f.text("银行"),
      branch: f.text("支行"),
      number: f.bankCardNo("银行账号"),
      verified: f.status("核验", ACCOUNT_VERIFY),
      isDefault: f.flag("默认"),
      version: f.version,
    }),
  ),
});

export const addAccount = bankAccounts.post("", "新增银行账户", EDITS, {
  body: typed.extend({ partyId: f.id }),
  reply: z.object({ id: f.id }),
});

export const editAccount = bankAccounts.put("/:id", "编辑银行账户", EDITS, {
  params: partId,
  // shown masked: an edit without the number keeps it
  body: typed.extend({ number: typed.shape.number.optional(), version: f.version }),
  reply: z.object({ id: f.id }),
});

export const deleteAccount = bankAccounts.delete("/:id", "删除银行账户", EDITS, {
  params: partId,
  query: atVersion,
  reply: z.null(),
});
