import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { refineLast } from "../../../platform/kernel/fields/refinements.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { type BankField, DATE_FORMAT, TEMPLATE_FIELDS, whyNotTemplate } from "./template.rules.ts";

const templates = callsAt("/billing/api/v3/statementTemplate", "statementTemplate");
/** Whoever brings files of accounts that are reconciled, or of those whose money is claimed. */
export const BRINGS = ["25.import", "97.import"] as const;

const column = (title: string) => f.input(title, 1, 60).optional();
const columns = z.object({
  ...(Object.fromEntries(
    Object.entries(TEMPLATE_FIELDS).map(([field, title]) => [field, column(title)]),
  ) as Record<BankField, ReturnType<typeof column>>),
  date: f.input(TEMPLATE_FIELDS.date, 1, 60),
  notes: z
    .array(f.input("摘要", 1, 60))
    .max(5, "摘要最多5列")
    .optional(),
});

const reading = {
  skipLines: f.whole("表头前的行数", 0, 29),
  dateFormat: f.choice("日期格式", DATE_FORMAT),
  columns,
};
const judged = (of: { columns: z.output<typeof columns> }, ctx: z.RefinementCtx): void => {
  const why = whyNotTemplate(of);
  if (why) ctx.addIssue({ code: "custom", message: why.msg, path: ["columns", why.field] });
};
/** How a file is to be read, before it is kept. */
export const templateDraft = refineLast(z.object(reading).superRefine(judged));

const template = z.object({
  id: f.id,
  name: z.string(),
  no: z.number().int(),
  skipLines: z.number().int(),
  dateFormat: z.enum(Object.keys(DATE_FORMAT) as [keyof typeof DATE_FORMAT]),
  columns: z.object({
    ...(Object.fromEntries(
      Object.keys(TEMPLATE_FIELDS).map((field) => [field, z.string().optional()]),
    ) as Record<BankField, z.ZodOptional<z.ZodString>>),
    date: z.string(),
    notes: z.array(z.string()).optional(),
  }),
  creator: z.string(),
  createdAt: z.string(),
});
export type TemplateRow = z.output<typeof template>;

/** The templates of the account's enterprise as they are now, and the one that its last file was read by. */
export const listTemplates = templates.get("", "银行模板", BRINGS, {
  query: z.object({ merchantAccountId: z.coerce.number("请选择账户").pipe(f.pick("账户")) }),
  reply: z.object({
    /** Its files are a bank's; those of WeChat Pay and Alipay are known as they are. */
    applies: z.boolean(),
    list: z.array(template),
    usedId: f.id.nullable(),
  }),
});
/** A new template, or the next version of one that stands. */
export const saveTemplate = templates.post("", "保存银行模板", BRINGS, {
  body: z
    .object({
      merchantAccountId: f.pick("账户"),
      name: f.input("模板名称", 2, 30),
      /** The version that it follows; 0 of a new one. */
      version: f.versionOrNone,
      ...reading,
    })
    .superRefine(judged),
  reply: z.object({ id: f.id, no: z.number().int() }),
});
export const endTemplate = templates.put("/:id/end", "停用银行模板", BRINGS, {
  params: oneRecord,
  reply: z.object({ id: f.id }),
});
