import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { taxNumber } from "../../../platform/kernel/texts/certificate.ts";
import { email, mobileOrLandline } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { atVersion, EDITS, ofParty, partId, READS } from "../contact/contact.contract.ts";
import { TITLE_KINDS } from "./title.rules.ts";

/** Two records of one party became one, and both had a title: whoever named the one that stays behind names the other. */
export const titlesJoined = event(
  "party.titlesJoined",
  z.object({ titles: z.array(z.object({ goneId: f.id, keepId: f.id })) }),
);

const invoiceTitles = callsAt("/customer/api/v3/invoiceTitle", "party");

const typed = z.object({
  kind: f.choice("抬头类型", TITLE_KINDS),
  title: f.input("抬头", 2, 100),
  taxNo: f
    .remark("税号", 20)
    .superRefine(check(optional(taxNumber)))
    .default(""),
  address: f.remark("地址", 100).default(""),
  phone: f
    .remark("电话", 20)
    .superRefine(check(optional(mobileOrLandline)))
    .default(""),
  bank: f.remark("开户行", 50).default(""),
  account: f
    .remark("账号", 30)
    .refine((text) => !text || /^\d[\d-]{4,28}\d$/.test(text), "银行账号格式不正确")
    .default(""),
  email: f
    .remark("邮箱", 100)
    .superRefine(check(optional(email)))
    .default(""),
  isDefault: z.boolean().default(false).meta({ title: "默认抬头", kind: "flag" }),
});
const together = (v: { kind: string; taxNo: string }, ctx: z.RefinementCtx) => {
  if (v.kind === "company" && !v.taxNo)
    ctx.addIssue({ code: "custom", path: ["taxNo"], message: "请输入税号", input: v });
};
export type TitleInput = z.output<typeof typed>;

export const listTitles = invoiceTitles.get("", "发票抬头", READS, {
  query: ofParty,
  reply: z.array(
    z.object({
      id: f.id,
      kind: f.status("类型", TITLE_KINDS),
      title: f.text("抬头"),
      taxNo: f.text("税号"),
      address: f.text("地址"),
      phone: f.text("电话"),
      bank: f.text("开户行"),
      account: f.text("账号"),
      email: f.text("邮箱"),
      isDefault: f.flag("默认"),
      version: f.version,
    }),
  ),
});

export const addTitle = invoiceTitles.post("", "新增发票抬头", EDITS, {
  body: typed.extend({ partyId: f.id }).superRefine(together),
  reply: z.object({ id: f.id }),
});

export const editTitle = invoiceTitles.put("/:id", "编辑发票抬头", EDITS, {
  params: partId,
  body: typed.extend({ version: f.version }).superRefine(together),
  reply: z.object({ id: f.id }),
});

export const deleteTitle = invoiceTitles.delete("/:id", "删除发票抬头", EDITS, {
  params: partId,
  query: atVersion,
  reply: z.null(),
});
