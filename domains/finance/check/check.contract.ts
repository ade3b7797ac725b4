import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const checks = callsAt("/report/api/v3/ledgerCheck", "ledgerCheck");

const result = z.object({
  code: f.text("编号"),
  name: f.text("检查项"),
  expected: f.money("期望"),
  actual: f.money("实际"),
  breaks: f.number("异常数"),
});
export const ledgerRun = z.object({
  id: f.id,
  runAt: f.instant("运行时间"),
  kind: f.status("方式", { nightly: ["自动", "grey"], manual: ["手工", "grey"] }),
  ok: f.flag("正常"),
  millis: f.number("用时", { unit: "毫秒" }),
  results: z.array(result),
});
const broken = z.object({
  id: f.id,
  code: f.text("编号"),
  villageId: f.id.nullable(),
  villageName: f.text("门店").nullable(),
  key: f.text("记录"),
  expected: f.money("期望"),
  actual: f.money("实际"),
  note: f.text("说明"),
});
export type Broken = z.output<typeof broken>;

/** The last runs that came to their end, the newest first. */
export const listChecks = checks.get("/runs", "账务自检记录", ["65.query", "#6501"], {
  reply: z.array(ledgerRun.omit({ results: true }).extend({ breaks: f.number("异常数") })),
});

const looked = z.object({ run: ledgerRun.nullable(), breaks: z.array(broken) });
/** With the run that is going on, and how much of it is done. */
export const lastCheck = checks.get("", "最近一次账务自检", ["65.query", "#6501"], {
  reply: looked.extend({
    underway: z.object({ id: f.id, progress: f.number("进度", { unit: "%" }) }).nullable(),
    /** The last one that was asked for did not come to its end. */
    failed: f.flag("没有完成"),
  }),
});
/** The run that is going on, by its id. */
export const goingOn = ({ underway }: { underway: { id: number } | null }): number[] =>
  underway ? [underway.id] : [];
export const getCheck = checks.get("/:id", "账务自检结果", ["65.query", "#6501"], { reply: looked });

/** Why a break is there, for whoever looks at the run after. */
export const noteBreak = checks.put("/break/:id/note", "说明账务异常", "#6501", {
  body: z.object({ note: f.reason("说明") }),
  reply: z.object({ id: f.id }),
});

/** Asks for a run, which a job does; while one is going on, it is that one. */
export const runCheck = checks.post("/run", "运行账务自检", "#6501", {
  perMinute: 60,
  reply: z.object({ id: f.id }),
});
export const checkAsked = event("ledgerCheck.asked", z.object({ id: f.id }));
