import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { noSpecialCharacters } from "../../../platform/kernel/texts/names.ts";
import {
  all,
  lengthBetween,
  optional,
  plainSerialNumber,
  required,
} from "../../../platform/kernel/validators.ts";
import { SUBJECT_KIND } from "./subject.contract.ts";
import { RECOGNISE, rateRefusal, TAX_MODE, UTILITY } from "./subject.rules.ts";

const fees = callsAt("/system/api/v3/dic/fee", "feeSubject");

export const FEE_STATE = { on: ["启用", "green"], off: ["停用", "grey"] } as const;

// without defaults: an edit that leaves a field out leaves it as it is
const fields = {
  name: f.checked(
    "名称",
    all(required("请输入名称"), lengthBetween(1, 20, "名称长度为1到20个字"), noSpecialCharacters),
    { max: 20 },
  ),
  kind: f.choice("类型", SUBJECT_KIND),
  taxMode: f.choice("计税方式", TAX_MODE),
  taxRate: z
    .string({ error: "请输入税率" })
    .regex(/^\d{1,2}(\.\d{1,2})?$/, "税率须在0到99.99之间，最多两位小数")
    .meta({
      title: "税率",
      kind: "text",
      decimal: true,
      unit: "%",
      help: "用于之后生成的账单，已有账单的税率不变",
    }),
  recognise: f.choice("收入确认", RECOGNISE),
  utility: f.choice("能耗类型", UTILITY),
  glCode: f.remark("总账科目", 30),
  priority: f.whole("分配顺序", 1, 99, { help: "收款时数字小的费用先付" }),
};
/** Left empty it is given; it never changes. */
const code = f.checked("编码", optional(all(lengthBetween(1, 20, "编码最多20位"), plainSerialNumber)), {
  max: 20,
});

type Taxed = { taxMode?: keyof typeof TAX_MODE | undefined; taxRate?: string | undefined };
const fitting = (fee: Taxed, ctx: z.RefinementCtx) => {
  const why = rateRefusal(fee);
  if (why) ctx.addIssue({ code: "custom", path: ["taxRate"], message: why, input: fee });
};

export const feeBody = z.object({
  ...fields,
  code: code.default(""),
  taxMode: fields.taxMode.default("none"),
  taxRate: fields.taxRate.default("0"),
  recognise: fields.recognise.default("period"),
  utility: fields.utility.default("none"),
  glCode: fields.glCode.default(""),
  priority: fields.priority.default(50),
});

export const feeRow = z.object({
  id: f.id,
  name: f.text("名称"),
  code: f.text("编码"),
  kind: f.status("类型", SUBJECT_KIND),
  taxMode: f.status("计税方式", TAX_MODE),
  taxRate: f.text("税率"),
  recognise: f.status("收入确认", RECOGNISE),
  utility: f.status("能耗类型", UTILITY),
  glCode: f.text("总账科目"),
  priority: f.number("分配顺序"),
  uses: f.number("使用次数", { help: "使用它的账单费用笔数，最多数到一千" }),
  builtIn: f.flag("系统内置"),
  state: f.status("状态", FEE_STATE),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});
export type FeeRow = z.output<typeof feeRow>;

export const listFees = fees.get("/list", "费用字典", "109.query", {
  query: pageQuery("priority", "name", "updatedAt").extend({
    kind: filter.choices("类型", SUBJECT_KIND),
    state: filter.choice("状态", FEE_STATE),
    keyword: filter.keyword("名称、编码"),
    ids: idList,
  }),
  reply: pageReply(feeRow),
});

export const exportFees = exportOf({
  type: "feeSubject",
  title: "费用字典",
  needs: "109.export",
  list: listFees,
  filters: { ids: "费用" },
});

export const addFee = fees.post("/add", "新增费用字典项", "109.add", {
  body: feeBody.superRefine(fitting),
  reply: z.object({ id: f.id }),
});

export const editFee = fees.put("/:id", "修改费用字典项", ["109.edit", "109.enable", "109.disable"], {
  body: z
    .object({ ...fields, enabled: z.boolean(), version: f.version })
    .partial()
    .required({ version: true })
    .superRefine(fitting),
  reply: z.null(),
});

export const deleteFee = fees.delete("/:id", "删除费用字典项", "109.delete", { reply: z.null() });
