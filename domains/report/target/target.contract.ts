import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { SOURCES, TARGET_CODES } from "./target.rules.ts";
const indicatorTargetsAt = callsAt("/report/api/v3/indicatorTarget", "indicatorTarget");
const year = z.coerce.number().int().min(2000).max(2099);
const code = z.enum(TARGET_CODES, { error: "请选择指标" });
const month = f.monthInput("月份");

const cell = z.object({
  month,
  /** Fen, or a share of one; null: no target. */
  value: z.number().nullable(),
  source: f.status("来源", SOURCES).nullable(),
  version: z.number().int(),
});
const villageRow = z.object({ villageId: f.id, name: z.string(), cells: z.array(cell) });

export const targets = indicatorTargetsAt.get("", "目标值", "139.query", {
  query: z.object({ year, code, villageIds: idList }),
  reply: z.array(villageRow),
});

/** Only what was changed, all or nothing. An empty value takes the target away. */
export const saveTargets = indicatorTargetsAt.put("", "保存目标值", "139.edit", {
  body: z.object({
    code,
    cells: z
      .array(
        z.object({
          villageId: f.id,
          month,
          value: z.number().nullable(),
          /** 0 for a cell that had none. */
          version: f.versionOrNone,
        }),
      )
      .min(1, "没有修改")
      .max(2400, "一次最多保存2400格"),
    /** Required when a month that is over is changed. */
    note: f.remark("原因", 200).default(""),
  }),
  reply: z.object({ saved: z.number() }),
});

/** The year of one store, given to others. */
export const copyTargets = indicatorTargetsAt.post("/copy", "复制目标", "139.edit", {
  body: z.object({
    code,
    year,
    from: f.pick("来源门店"),
    to: z.array(f.id).min(1, "请选择目标门店").max(500),
    note: f.remark("原因", 200).default(""),
  }),
  reply: z.object({ saved: z.number() }),
});

const linking = f.ids().min(1, "请选择门店").max(500, "一次最多选择500个门店");

/** Indicators of the budget that say the same as one of the dashboard, for the picker; the noun of budgets answers it. */
export const budgetsToBring = indicatorTargetsAt.get("/budget", "可带入的预算指标", "139.edit", {
  query: z.object({
    code,
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(z.object({ id: f.id, name: f.text("预算指标") })),
});

/** A year of stores from their budgets in force. The cells follow the budget and are not typed until they are unlinked. */
export const bringBudgets = indicatorTargetsAt.post("/budget", "从预算带入目标", "139.edit", {
  body: z.object({
    code,
    year,
    villageIds: linking,
    budgetIndicatorId: f.pick("预算指标"),
    note: f.remark("原因", 200).default(""),
  }),
  /** `without`: stores without a budget in force. */
  reply: z.object({ saved: z.number(), without: z.number() }),
});

/** What came from a budget stays as it is and is typed from now on. */
export const unlinkBudgets = indicatorTargetsAt.put("/unlink", "目标改为手工", "139.edit", {
  body: z.object({
    code,
    cells: z
      .array(z.object({ villageId: f.id, month, version: f.version }))
      .min(1, "没有由预算带入的目标")
      .max(2400, "一次最多修改2400格"),
  }),
  reply: z.object({ saved: z.number() }),
});

export const completion = indicatorTargetsAt.get("/completion", "目标完成情况", "139.query", {
  query: z.object({ year, code, villageIds: idList }),
  reply: z.array(
    z.object({
      villageId: f.id,
      name: z.string(),
      cells: z.array(
        z.object({
          month,
          actual: z.number().nullable(),
          target: z.number().nullable(),
          /** The target is the default one. */
          given: z.boolean(),
          share: z.number().nullable(),
          /** The month is not over yet. */
          running: z.boolean(),
        }),
      ),
    }),
  ),
});

export const targetChanges = indicatorTargetsAt.get("/history", "目标修改记录", "139.query", {
  query: pageQuery("at").extend({ villageIds: idList, code: code.optional() }),
  reply: pageReply(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      byName: f.person("修改人"),
      indicator: f.text("指标"),
      villageName: f.text("门店"),
      month: f.month("月份"),
      before: f.text("原目标"),
      after: f.text("新目标"),
      note: f.text("原因"),
    }),
  ),
});
