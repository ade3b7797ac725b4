import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { id, instant, number, person, status, text } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { RESULTS, SWITCHED } from "./job.rules.ts";

const PATH = "/system/api/v3/job" as const;
const jobs = callsAt(PATH);
const byName = z.object({ name: z.string().min(1).max(100) });

/** What runs by itself, in the order of its time; one answer holds them all. */
export const listJobs = jobs.get("", "定时任务", "94.query", {
  query: pageQuery("title").extend({
    result: filter.choices("结果", RESULTS),
    keyword: filter.keyword("任务名称", 40),
  }),
  reply: pageReply(
    z.object({
      id,
      name: z.string(),
      title: text("任务"),
      schedule: text("执行时间"),
      enabled: status("状态", SWITCHED),
      lastAt: instant("上次执行").nullable(),
      seconds: number("耗时").nullable(),
      processed: number("处理数").nullable(),
      result: status("结果", RESULTS),
      nextAt: instant("下次执行").nullable(),
    }),
  ),
});

/** The newest runs of one, at most a hundred. */
export const listRuns = jobs.get("/:name/run", "定时任务执行记录", "94.query", {
  params: byName,
  query: pageQuery("beganAt").extend({ result: filter.choices("结果", RESULTS) }),
  reply: pageReply(
    z.object({
      id,
      beganAt: instant("开始时间").nullable(),
      seconds: number("耗时").nullable(),
      processed: number("处理数").nullable(),
      result: status("结果", RESULTS),
      askedBy: person("发起人").nullable(),
      error: text("错误"),
    }),
  ),
});

const moved = <M extends "POST" | "PUT", V extends string>(method: M, verb: V, summary: string) =>
  call({
    method,
    path: `${PATH}/:name/${verb}`,
    summary,
    needs: "94.edit",
    target: "job",
    params: byName,
    reply: z.null(),
  });
/** Starts one run now, on whichever server is free; a run that is under way refuses it. */
export const runJob = moved("POST", "run", "立即执行定时任务");
export const enableJob = moved("PUT", "enable", "启用定时任务");
export const disableJob = moved("PUT", "disable", "停用定时任务");
