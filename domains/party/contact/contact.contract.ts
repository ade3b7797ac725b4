import { z } from "zod";
import { email, mobileOrLandline, personName } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { MOST_CONTACTS } from "./contact.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
const at = callsAt("/customer/api/v3/contact", "party");

/** The permits that open any party's parts; whose parts they are decides which of them is needed. */
export const READS = ["16.get", "106.get", "113.get"] as const;
export const EDITS = ["16.edit", "106.edit", "113.edit"] as const;
export const partId = oneRecord;
export const ofParty = z.object({ partyId: z.coerce.number().pipe(f.id) });
export const atVersion = z.object({ version: f.versionInQuery });

export const contactInput = z.object({
  name: f.input("姓名", 2, 30, "姓名长度为2到30个字").superRefine(check(personName)),
  phone: f.checked("电话", mobileOrLandline, { kind: "phone" }),
  position: f.remark("职位", 20).default(""),
  email: f
    .remark("邮箱", 100)
    .superRefine(check(optional(email)))
    .default(""),
  main: z.boolean().default(false).meta({ title: "主联系人", kind: "flag" }),
  getsBills: z.boolean().default(false).meta({ title: "接收账单", kind: "flag" }),
});
export type ContactInput = z.output<typeof contactInput>;

/** The contacts a firm is registered with. */
export const contactList = z
  .array(contactInput, { error: "请填写联系人" })
  .min(1, "请填写联系人")
  .max(MOST_CONTACTS, `联系人最多${MOST_CONTACTS}个`)
  .refine((list) => list.filter((c) => c.main).length === 1, "请设置一个主联系人")
  .meta({ title: "联系人", kind: "text" });

export const listContacts = at.get("", "联系人", READS, {
  query: ofParty,
  reply: z.array(
    z.object({
      id: f.id,
      name: f.person("姓名"),
      phone: f.phone("电话"),
      position: f.text("职位"),
      email: f.text("邮箱"),
      main: f.flag("主联系人"),
      getsBills: f.flag("接收账单"),
      version: f.version,
    }),
  ),
});

export const addContact = at.post("", "新增联系人", EDITS, {
  body: contactInput.extend({ partyId: f.id }),
  reply: z.object({ id: f.id }),
});

export const editContact = at.put("/:id", "编辑联系人", EDITS, {
  params: partId,
  // the screen holds the phone masked, so an edit that does not carry one keeps it
  body: contactInput.extend({ phone: contactInput.shape.phone.optional(), version: f.version }),
  reply: z.object({ id: f.id }),
});

export const deleteContact = at.delete("/:id", "删除联系人", EDITS, {
  params: partId,
  query: atVersion,
  reply: z.null(),
});
