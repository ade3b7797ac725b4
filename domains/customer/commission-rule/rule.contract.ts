import { z } from "zod";
import { compare, decimal } from "../../../platform/kernel/fen.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { BASES, CLAW_MODES, tierRefusal } from "./commission.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
const commissionRules = callsAt("/customer/api/v3/commissionRule", "commissionRule");
const PERCENT = "比例须在0.01到200.00之间，最多两位小数";

const percent = z
  .string()
  .trim()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, PERCENT)
  .refine((text) => {
    if (!/^\d{1,3}(\.\d{1,2})?$/.test(text)) return true;
    return compare(decimal(text), decimal("0.01")) >= 0 && compare(decimal(text), decimal("200")) <= 0;
  }, PERCENT)
  .meta({ title: "比例", kind: "text", decimal: true, unit: "%" });

const tier = z.object({
  fromMonths: f.whole("满月数", 0, 60, { unit: "个月" }),
  percent: percent.nullish(),
  fixed: f.amount("金额").nullish(),
});

const fields = z.object({
  name: f.checked("规则名称", nameOf("规则名称"), { max: 30 }),
  base: f.choice("计算基数", BASES).default("monthRent"),
  tiers: z
    .array(tier)
    .min(1, "请至少填写一个档位")
    .max(10, "档位最多10个")
    .meta({ title: "档位", kind: "text" }),
  cap: f.amount("封顶金额").nullish(),
  payAfterDays: f.whole("签约后可付", 0, 365, { unit: "天" }).default(0),
  clawDays: f
    .whole("扣回期", 0, 365, { unit: "天", help: "租客在这些天内退租时扣回佣金，0为不扣回" })
    .default(0),
  clawMode: f.choice("扣回方式", CLAW_MODES).default("proRata"),
  renewals: f.flag("续租也计佣").default(false),
  fromDay: f.dayInput("生效日"),
  toDay: f.dayInput("失效日").nullish(),
});

type Typed = Pick<z.output<typeof fields>, "base" | "tiers" | "fromDay" | "toDay">;
const together = (rule: Typed, ctx: z.RefinementCtx) => {
  const wrong = tierRefusal(rule.base, rule.tiers);
  if (wrong) ctx.addIssue({ code: "custom", path: ["tiers", wrong.line, wrong.key], message: wrong.msg });
  if (rule.toDay && rule.toDay < rule.fromDay)
    ctx.addIssue({ code: "custom", path: ["toDay"], message: "失效日不能早于生效日" });
};

export const ruleInput = fields.superRefine(together);
export type RuleInput = z.output<typeof ruleInput>;

const row = z.object({
  id: f.id,
  /** Under which agencies and agents name it, whatever version is in force. */
  seriesId: f.id,
  name: f.link("规则"),
  base: f.status("计算基数", BASES),
  tierText: f.text("档位"),
  cap: f.money("封顶金额").nullable(),
  payAfterDays: f.number("签约后可付", { unit: "天" }),
  clawDays: f.number("扣回期", { unit: "天" }),
  clawMode: f.status("扣回方式", CLAW_MODES),
  renewals: f.flag("续租计佣"),
  fromDay: f.day("生效日"),
  toDay: f.day("失效日").nullable(),
  agencies: f.number("机构", { unit: "家" }),
  agents: f.number("经纪人", { unit: "人" }),
  used: f.number("已用于佣金", { unit: "笔" }),
  version: f.version,
});
export type RuleRow = z.output<typeof row>;

export const listRules = commissionRules.get("", "佣金规则", "115.query", {
  query: pageQuery("fromDay", "name").extend({
    /** One of each series, the one in force or the last: what agencies and agents choose from. */
    current: z.literal("1").optional(),
    ids: idList,
    keyword: filter.keyword("规则名称"),
  }),
  reply: pageReply(row),
});

/** Rules by their series; the version in force speaks for it. */
export const RULES: filter.Source = {
  call: listRules,
  query: { current: "1", want: "rows" },
  option: (r: { seriesId: number; name: string; tierText: string }) => ({
    value: r.seriesId,
    label: r.name,
    note: r.tierText,
  }),
};

export const getRule = commissionRules.get("/:id", "佣金规则详情", ["115.get", "115.query"], {
  target: "commissionRule",
  reply: row.extend({
    tiers: z.array(
      z.object({
        fromMonths: f.number("满月数"),
        percent: z.string().nullable(),
        fixed: f.money("金额").nullable(),
      }),
    ),
    versions: z.array(z.object({ id: f.id, fromDay: f.day("生效日"), toDay: f.day("失效日").nullable() })),
  }),
});

export const addRule = commissionRules.post("", "新增佣金规则", "#11502", {
  body: ruleInput,
  reply: z.object({ id: f.id }),
});

export const editRule = commissionRules.put("/:id", "编辑佣金规则", "#11502", {
  body: fields.extend({ version: f.version }).superRefine(together),
  reply: z.null(),
});

/** The next version of a rule, which takes over from its first day on. */
export const copyRule = commissionRules.post("/:id/copy", "复制佣金规则为新版本", "#11502", {
  body: fields.extend({ version: f.version }).superRefine(together),
  reply: z.object({ id: f.id }),
});

export const deleteRule = commissionRules.delete("/:id", "删除佣金规则", "#11502", {
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});
