import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import {
  ACCOUNTS,
  AGGS,
  BASES,
  BETTER,
  BY,
  KINDS,
  MEASURES,
  MEASURE_WORDS,
  SIGN,
  UNITS,
  UNITS_OF,
} from "./source.rules.ts";

const BASE = "/billing/api/v3/budgetIndicator";
const family = recordCalls({ path: BASE, code: 136, title: "预算指标", target: "budgetIndicator" });
const indicatorsAt = callsAt(BASE, "budgetIndicator");

const part = z.object({
  sign: f.choice("加减", SIGN),
  account: f.choice("科目", ACCOUNTS),
  subjectIds: f.ids().max(100, "费用最多100个").meta({ title: "费用" }),
  /** All fee subjects but those. */
  except: z.boolean().default(false).meta({ title: "除外", kind: "flag" }),
});

const CODE = "编码由字母、数字和下划线组成，2-20位";
const code = f.checked("编码", (text) => (/^[A-Za-z0-9_]{2,20}$/.test(text) ? undefined : CODE), { max: 20 });
const name = f.input("名称", 2, 20, "名称为2-20个字");

const fields = {
  name,
  parentId: f.pick("上级").nullish(),
  kind: f.choice("类型", KINDS),
  unit: f.choice("单位", UNITS),
  basis: f.choice("口径", BASES),
  by: f.choice("取数方式", BY),
  parts: z.array(part).max(20, "科目最多20行").default([]).meta({ title: "取数" }),
  measure: f.choice("运营数据", MEASURE_WORDS).nullish(),
  formula: f.remark("公式", 500).default(""),
  agg: f.choice("汇总方式", AGGS),
  better: f.choice("方向", BETTER),
  must: z.boolean().default(false).meta({ title: "必填", kind: "flag" }),
};
type Given = z.output<z.ZodObject<typeof fields>>;

/** What cannot be together, field by field. */
function sane(given: Given, { addIssue }: z.RefinementCtx<Given>): void {
  const say = (field: string, message: string) => addIssue({ code: "custom", path: [field], message });
  const { kind, unit, basis, by, parts, measure, formula } = given;
  if (/^\d+$/.test(given.name)) say("name", "名称不能为纯数字");
  if (!UNITS_OF[kind].includes(unit))
    say("unit", `${KINDS[kind][0]}的单位应为${UNITS_OF[kind].map((u) => UNITS[u][0]).join("或")}`);
  if (by === "money") {
    if (!parts.length) say("parts", "请添加取数的科目");
    if (basis === "timeline") say("basis", "凭证取数的口径应为权责、应收或实收");
    if (unit !== "yuan") say("unit", "凭证取数的单位应为元");
    const receivable = basis !== "accrual";
    parts.forEach(({ account }, i) => {
      if ((account === "1122") !== receivable)
        addIssue({
          code: "custom",
          path: ["parts", i, "account"],
          message: receivable ? "应收和实收从 1122 应收账款取数" : "权责口径请选择损益科目",
        });
    });
  }
  if (by === "measure") {
    if (!measure) say("measure", "请选择运营数据");
    else if (MEASURES[measure].kind !== kind)
      say("kind", `${MEASURES[measure].title}的类型应为${KINDS[MEASURES[measure].kind][0]}`);
    else if (MEASURES[measure].basis !== basis)
      say("basis", `${MEASURES[measure].title}的口径应为${BASES[MEASURES[measure].basis][0]}`);
  }
  if (by === "formula" && !formula) say("formula", "请填写公式");
}

export const indicatorBody = z.object({ code, ...fields }).superRefine(sane);
/** The code stands in formulas, so it never changes. */
export const indicatorEdit = z.object(fields).superRefine(sane);

export const indicatorRow = z.object({
  id: f.id,
  code: f.text("编码"),
  name: f.link("名称"),
  level: z.number().int(),
  parentId: f.id.nullable(),
  kind: f.status("类型", KINDS),
  unit: f.status("单位", UNITS),
  basis: f.status("口径", BASES),
  by: f.status("取数方式", BY),
  sourceText: f.text("取数"),
  agg: f.status("汇总方式", AGGS),
  better: f.status("方向", BETTER),
  must: f.flag("必填"),
  state: f.status("状态", SWITCHED),
  parts: z.array(part),
  measure: z.enum(Object.keys(MEASURE_WORDS) as [keyof typeof MEASURES]).nullable(),
  /** With the names of indicators. */
  formula: z.string(),
  updatedAt: f.instant("更新时间"),
  updatedName: f.person("更新人"),
  version: f.version,
});
export type IndicatorRow = z.output<typeof indicatorRow>;

export const listIndicators = family.list(
  pageQuery("order").extend({
    kind: filter.choices("类型", KINDS),
    state: filter.choice("状态", SWITCHED),
    keyword: filter.keyword("编码、名称"),
    ids: idList,
  }),
  indicatorRow,
);
/** Indicators to choose from, in the order of the tree. */
export const INDICATORS: filter.Source = {
  call: listIndicators,
  query: { pageSize: 200 },
  option: (row: IndicatorRow) => ({
    value: row.id,
    label: row.name,
    note: row.code,
  }),
};

export const exportIndicators = family.export(listIndicators, { filters: { ids: "指标" } });
export const getIndicator = family.get(indicatorRow);
export const addIndicator = family.add(indicatorBody);
export const editIndicator = family.edit(indicatorEdit);
export const deleteIndicator = family.delete();
export const enableIndicator = family.enable({ needs: "136.edit" });
export const disableIndicator = family.disable({ needs: "136.edit" });

/** The order of those with the same parent. */
export const orderIndicators = indicatorsAt.put("/order", "预算指标排序", "136.edit", {
  body: z.object({ ids: f.ids().min(1, "没有可排序的指标").max(500) }),
  reply: z.null(),
});

/** What a figure is made of: postings, nights, contracts, or the figures of a formula. */
export const drillReply = z.object({
  shown: f.text("实际"),
  estimated: f.flag("预估"),
  rows: z.array(
    z.object({
      day: f.text("日期"),
      what: f.text("事项"),
      number: f.text("单号"),
      about: f.text("说明"),
      shown: f.text("数值"),
      billId: f.id.nullable(),
    }),
  ),
  total: f.number("行数"),
});
export type Drill = z.output<typeof drillReply>;

/** What an indicator as it is typed would say of a store and month; nothing is saved. */
export const tryIndicator = indicatorsAt.post("/trial", "预算指标试算", ["136.add", "136.edit"], {
  effect: "read",
  body: z.object({
    indicator: indicatorBody,
    villageId: f.pick("门店"),
    month: f.monthInput("月份"),
  }),
  reply: drillReply,
});
