import { z } from "zod";
import { certificateOf } from "../../../platform/kernel/certificate.ts";
import { email, mobileOf, mobileOrLandline, personName } from "../../../platform/kernel/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { freeText } from "../../../platform/kernel/names.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { CERT_TYPES, GENDERS } from "./words.rules.ts";

const otherPhone = (title: string) => f.remark(title, 20).superRefine(check(optional(mobileOrLandline)));
export const tagList = z
  .array(f.input("标签", 1, 10, "标签最多10个字"))
  .max(10, "标签最多10个")
  .meta({ title: "标签", kind: "text" });

const typed = z.object({
  certType: f.choice("证件类型", CERT_TYPES).nullish(),
  certNo: z
    .string()
    .trim()
    .max(18, "证件号格式不正确")
    .nullish()
    .meta({ title: "证件号", kind: "text", max: 18, secrecy: "certificate" }),
  name: f.input("姓名", 2, 30, "姓名长度为2到30个字").superRefine(check(personName)),
  phoneArea: z
    .string()
    .regex(/^\+\d{1,4}$/, "区号格式不正确")
    .default("+86"),
  phone: f.input("手机", 5, 15, "手机格式不正确！"),
  gender: f.choice("性别", GENDERS).nullish(),
  birthday: f.lifeDayInput("生日").nullish(),
  nationality: f.remark("国籍", 30).default(""),
  email: f
    .remark("邮箱", 100)
    .superRefine(check(optional(email)))
    .default(""),
  occupation: f.remark("职业", 50).default(""),
  employer: f.remark("工作单位", 50).default(""),
  emergencyName: f.remark("紧急联系人", 30).default(""),
  emergencyPhone: otherPhone("紧急联系电话").default(""),
  emergencyRelation: f.remark("关系", 20).default(""),
  guardianName: f.remark("监护人", 30).default(""),
  guardianPhone: otherPhone("监护人电话").default(""),
  /** Code of the customer dictionary. */
  source: f.input("来源", 1, 20, "请选择来源"),
  tags: tagList.default([]),
  photoFileId: f.id.nullish().meta({ title: "照片", kind: "file" }),
  certFrontFileId: f.id.nullish().meta({ title: "证件正面", kind: "file" }),
  certBackFileId: f.id.nullish().meta({ title: "证件反面", kind: "file" }),
  remark: f
    .remark()
    .superRefine(check(optional(freeText)))
    .default(""),
  homeVillageId: f.pick("登记门店"),
});

/** Screens hold phones and certificates masked, so an edit that does not carry one keeps it. */
const edited = typed.extend({
  phone: typed.shape.phone.optional(),
  emergencyPhone: otherPhone("紧急联系电话").optional(),
  guardianPhone: otherPhone("监护人电话").optional(),
  version: f.version,
  correctionReason: f.reason("更正原因").optional(),
  correctionFileId: f.id.optional().meta({ title: "更正凭证", kind: "file" }),
});

type Edited = z.output<typeof edited>;
type Together = Omit<Edited, "version" | "correctionReason" | "correctionFileId">;

/** Rules that look at two fields at once, shared by add, edit and import. */
function together(v: Together, ctx: z.RefinementCtx) {
  const add = (path: keyof Together, message: string | undefined) => {
    if (message) ctx.addIssue({ code: "custom", path: [path], message, input: v });
  };
  if (v.phone !== undefined) add("phone", mobileOf(v.phoneArea)(v.phone));
  if (v.certNo && !v.certType) add("certType", "请选择证件类型");
  if (v.certType && v.certNo) add("certNo", certificateOf(v.certType)(v.certNo));
  if (v.emergencyPhone && v.emergencyPhone === v.phone) add("emergencyPhone", "紧急联系人电话不能与本人相同");
}

export const renterInput = typed.superRefine((v, ctx) => {
  if (v.certType && !v.certNo)
    ctx.addIssue({ code: "custom", path: ["certNo"], message: "请输入证件号", input: v });
  together(v, ctx);
});
export type RenterInput = z.output<typeof renterInput>;
export const renterEdit = edited.superRefine(together);
export type RenterEdit = z.output<typeof renterEdit>;
