import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";

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
  code: f.text("编号"),
  villageId: f.id.nullable(),
  villageName: f.text("门店").nullable(),
  key: f.text("记录"),
  expected: f.money("期望"),
  actual: f.money("实际"),
});

export const lastCheck = call({
  method: "GET",
  path: "/report/api/v3/ledgerCheck",
  summary: "最近一次账务自检",
  needs: ["65.query", "#6501"],
  reply: z.object({ run: ledgerRun.nullable(), breaks: z.array(broken) }),
});

export const runCheck = call({
  method: "POST",
  path: "/report/api/v3/ledgerCheck/run",
  summary: "运行账务自检",
  needs: "#6501",
  target: "ledgerCheck",
  timeout: 300_000,
  perMinute: 60,
  reply: z.object({ id: f.id, ok: z.boolean(), results: z.array(result), breaks: z.number().int() }),
});
