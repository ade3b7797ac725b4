import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { certificateOf, creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { contactList } from "../../party/contact/contact.contract.ts";
import {
  ARREARS_HELP,
  firmCalls,
  firmDetail,
  firmRow,
  firmTyped,
  plainText,
  tagFilter,
} from "../firm/firm.contract.ts";
import { FIRM_STAGES, SUBJECTS } from "../firm/words.rules.ts";
import { YES_NO_ARREARS, CERT_TYPES } from "../renter/words.rules.ts";

export const merchantCalls = firmCalls("merchant", 106);
const { base } = merchantCalls;
const merchants = callsAt(base, "merchant");
const DUE = { due: ["30 天内到期或已到期", "orange"] } as const;

export const merchantRow = z.object({
  id: f.id,
  name: f.text("商户名称"),
  brand: f.text("品牌"),
  category: f.text("业态"),
  subject: f.status("主体", SUBJECTS),
  stage: f.status("阶段", FIRM_STAGES),
  contactName: f.person("主联系人"),
  phone: f.phone("电话"),
  roomId: f.id.nullable(),
  roomNames: f.link("在租铺位"),
  rentKind: f.text("租金方式"),
  area: f.number("面积", { unit: "㎡" }),
  endDate: f.day("合同到期").nullable(),
  monthlyRent: f.money("月租金"),
  turnover: f.money("上月营业额", { help: "已确认的营业额净额" }),
  arrears: f.money("欠费", { help: ARREARS_HELP }),
  papersDue: f.day("证照到期").nullable(),
  ...firmRow,
  version: f.version,
});

export const listMerchants = merchants.get("", "商户列表", "106.query", {
  query: pageQuery("createdAt", "name", "endDate", "arrears").extend({
    villageIds: filter.villages(),
    stage: filter.choices("阶段", FIRM_STAGES),
    category: filter.by(z.string().max(20).optional(), {
      kind: "choice",
      title: "业态",
      dic: ["customer", "business"],
    }),
    subject: filter.choices("主体", SUBJECTS),
    tags: tagFilter,
    arrears: filter.choice("欠费", YES_NO_ARREARS),
    papers: filter.by(z.literal("due").optional(), { kind: "choice", title: "证照", words: DUE }),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "名称、品牌、完整信用代码、联系人、电话",
    }),
  }),
  reply: pageReply(
    merchantRow,
    z.object({
      area: f.number("面积"),
      turnover: f.money("上月营业额"),
      arrears: f.money("欠费"),
    }),
  ),
});

export const exportMerchants = exportOf({
  type: "merchant",
  title: "商户",
  needs: "106.export",
  list: listMerchants,
  personal: true,
});

export const merchantWords = merchants.get("/words", "商户选项", ["106.query", "106.add"], {
  reply: z.object({ categories: z.array(z.string()), tags: z.array(z.string()) }),
});

/** Floor area by 业态, drawn beside the list. */
export const merchantStrip = merchants.get("/strip", "商户业态面积", "106.query", {
  query: z.object({ villageIds: filter.villages() }),
  reply: z.array(
    z.object({
      category: f.text("业态"),
      area: f.number("面积", { unit: "㎡" }),
      count: f.number("商户", { unit: "户" }),
    }),
  ),
});

const typed = z.object({
  subject: f.choice("主体", SUBJECTS),
  creditCode: f
    .remark("统一社会信用代码", 18)
    .superRefine(check(optional(creditCode)))
    .default(""),
  certType: f.choice("证件类型", CERT_TYPES).nullish(),
  certNo: z
    .string()
    .trim()
    .max(18, "证件号格式不正确")
    .nullish()
    .meta({ title: "证件号", kind: "text", max: 18, secrecy: "certificate" }),
  name: f.checked("商户名称", nameOf("商户名称"), { max: 30 }),
  brand: f.remark("品牌", 30).default(""),
  category: f.input("业态", 1, 20, "请选择业态"),
  legalName: plainText("法定代表人", 30),
  address: f.remark("地址", 100).default(""),
  ...firmTyped,
});
export type MerchantFields = z.output<typeof typed>;

/** A company is known by its credit code, whoever trades in person by a certificate. `kept`: an edit may leave it out. */
const together =
  (kept: boolean) =>
  (v: MerchantFields, ctx: z.RefinementCtx): void => {
    const add = (path: keyof MerchantFields, message: string | undefined) => {
      if (message) ctx.addIssue({ code: "custom", path: [path], message, input: v });
    };
    if (v.subject === "company") {
      if (!v.creditCode) add("creditCode", "请输入统一社会信用代码");
      return;
    }
    if (!v.certType) add("certType", "请选择证件类型");
    if (!v.certNo && !kept) add("certNo", "请输入证件号");
    if (v.certType && v.certNo) add("certNo", certificateOf(v.certType)(v.certNo));
  };

export const merchantInput = typed
  .extend({
    contacts: contactList,
    licenceFileId: f.id.nullish().meta({ title: "营业执照", kind: "file" }),
    licenceEndDay: f.lifeDayInput("执照有效期至").nullish(),
  })
  .superRefine(together(false));
export type MerchantInput = z.output<typeof merchantInput>;

export const addMerchant = merchants.post("", "新增商户", "106.add", {
  body: merchantInput,
  reply: z.object({ id: f.id }),
});

export const editMerchant = merchants.put("/:id", "编辑商户", "106.edit", {
  beyondVillages: true,
  body: typed.extend({ version: f.version }).superRefine(together(true)),
  reply: z.object({ id: f.id }),
});

export const getMerchant = merchants.get("/:id", "商户详情", "106.get", {
  target: "merchant",
  reply: merchantRow.extend({
    creditCode: f.text("信用代码").nullable(),
    certType: f.status("证件类型", CERT_TYPES).nullable(),
    certNo: f.certificateNo("证件").nullable(),
    legalName: f.text("法定代表人"),
    ...firmDetail,
  }),
});
