import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { GROUPS, SHOWN_CODES, type Group, type Place } from "./indicator.rules.ts";
import { CODES, valueRefusal } from "./figure.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const PATH = "/system/api/indicator" as const;
const at = callsAt(PATH, "indicatorRole");
const groups = Object.keys(GROUPS) as [Group, ...Group[]];
const places = ["workbench", "dashboard"] as const satisfies readonly Place[];
export const BETTER = { more: ["越大越好", "grey"], less: ["越小越好", "grey"] } as const;

const rule = z.object({
  code: z.enum(CODES),
  title: f.text("指标"),
  kind: z.enum(["rate", "money", "count"]),
  better: f.status("方向", BETTER),
  greenFrom: f.number("绿色", { unit: "%", help: "达到目标的这个百分比起为绿色" }),
  amberFrom: f.number("黄色", { unit: "%", help: "达到目标的这个百分比起为黄色，再低为红色" }),
  defaultTarget: z.number().nullable().meta({ title: "默认目标", kind: "text" }),
  weight: f.number("权重", { help: "在门店排行“目标完成”中的权重，0 表示不计入" }),
  /** 0: the company has chosen nothing yet. */
  version: z.number().int(),
});

/** The figures that the product reckons: what each is, how it is judged, and whether the caller's roles see it. */
export const indicators = at.get("", "指标定义", "login", {
  reply: z.array(
    z.object({
      code: z.enum(SHOWN_CODES),
      title: z.string(),
      formula: z.string(),
      group: z.enum(groups),
      places: z.array(z.enum(places)),
      shown: z.boolean(),
      /** Only what can have a target is judged. */
      rule: rule.omit({ code: true, title: true, version: true }).extend({ adds: z.boolean() }).nullable(),
    }),
  ),
});

export const indicatorRoles = at.get("/roles", "角色指标", "138.query", {
  reply: z.array(
    z.object({
      roleId: f.id,
      name: f.text("角色"),
      people: f.number("员工数", { unit: "人" }),
      /** In its order; the default set where nobody has chosen. */
      codes: z.array(z.enum(SHOWN_CODES)),
      /** 0: the default set. */
      version: z.number().int(),
      updatedAt: f.instant("更新时间").nullable(),
      byName: f.person("修改人").nullable(),
    }),
  ),
});

export const setRoleIndicators = at.put("/role/indicators", "设置角色指标", "138.edit", {
  body: z.object({
    roleId: f.pick("角色"),
    codes: z
      .array(z.enum(SHOWN_CODES, { error: "没有这个指标" }))
      .min(1, "请至少选择一项指标")
      .max(SHOWN_CODES.length, "指标不能重复")
      .refine((codes) => new Set(codes).size === codes.length, "指标不能重复"),
    version: f.version.or(z.literal(0)),
  }),
  reply: z.object({ id: f.id, version: z.number().int() }),
});

export const resetRoleIndicators = at.delete("/role/:id", "恢复角色默认指标", "138.edit", {
  query: z.object({ version: f.versionInQuery.optional() }),
  reply: z.null(),
});

export const indicatorRules = at.get("/rule", "指标规则", "138.query", { reply: z.array(rule) });

/** Acts at once on the dashboard and the targets of everybody in the company. */
export const setIndicatorRule = at.put("/rule", "设置指标规则", "138.edit", {
  target: "indicatorRule",
  body: z
    .object({
      code: z.enum(CODES, { error: "没有这个指标" }),
      better: f.choice("方向", BETTER),
      greenFrom: f.whole("绿色不低于", 2, 200, { unit: "%" }),
      amberFrom: f.whole("黄色不低于", 1, 200, { unit: "%" }),
      defaultTarget: z
        .number("请输入默认目标")
        .nullable()
        .default(null)
        .meta({ title: "默认目标", kind: "number" }),
      weight: f.whole("权重", 0, 100),
      version: f.version.or(z.literal(0)),
    })
    .superRefine((body, ctx) => {
      if (body.amberFrom >= body.greenFrom)
        ctx.addIssue({ code: "custom", path: ["amberFrom"], message: "黄色下限必须低于绿色下限" });
      const wrong = body.defaultTarget === null ? undefined : valueRefusal(body.code, body.defaultTarget);
      if (wrong) ctx.addIssue({ code: "custom", path: ["defaultTarget"], message: wrong });
    }),
  reply: z.object({ version: z.number().int() }),
});
