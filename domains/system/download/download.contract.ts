import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { OPERATORS } from "../../access/operator/operator.contract.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const downloadsAt = callsAt("/system/api/v3/fileOperate/download");

export const STATE_WORDS = {
  queued: ["排队中", "grey"],
  running: ["生成中", "blue"],
  ready: ["可下载", "green"],
  failed: ["失败", "red"],
  expired: ["已过期", "grey"],
  cancelled: ["已取消", "grey"],
} as const satisfies Words;

/** Up to here an export is answered with the file itself. */
export const AT_ONCE = 5_000;
export const KEPT_DAYS = 7;
export const QUEUED = "已提交导出任务，请到下载中心查看";
const tasks = callsAt("/system/api/v3/fileOperate/download/task", "download");

export const downloadTypes = downloadsAt.get("/types", "可导出的列表", "login", {
  reply: z.array(z.object({ type: z.string(), title: f.text("类型"), personal: z.boolean() })),
});

/** The words are the titles of what the person may export. */
const type = filter.by(z.string().max(50).optional(), { kind: "choice", title: "类型", words: {} });

const downloadTask = z.object({
  id: f.id,
  name: f.link("任务名"),
  type: f.text("类型"),
  words: f.text("筛选条件"),
  rows: f.number("行数").nullable(),
  size: f.number("大小", { unit: "字节" }).nullable(),
  state: f.status("状态", STATE_WORDS),
  progress: f.progress("进度"),
  error: f.text("失败原因").nullable(),
  createdAt: f.instant("申请时间"),
  finishedAt: f.instant("完成时间").nullable(),
  expiresAt: f.instant("到期时间").nullable(),
  downloads: f.number("下载次数"),
});

export const listDownloads = tasks.get("", "我的导出任务", "login", {
  query: pageQuery("createdAt").extend({ state: filter.choices("状态", STATE_WORDS), type }),
  reply: pageReply(downloadTask),
});

/**
 * Exports any list by the name of its export, as the list's own export call does. Answers with the file, or, above
 * `AT_ONCE` rows, with JSON: `data` holds the id of the task that makes it.
 */
export const createDownload = tasks.post("", "导出列表", "login", {
  timeout: 300_000,
  perMinute: 120,
  snapshot: true,
  body: z.object({
    /** Which export: `type` of its declaration. */
    type: f.token(50, "请选择导出类型").min(1, "请选择导出类型"),
    /** The list's query as in its address; paging is ignored. */
    query: f
      .worded(
        "program",
        z.record(z.string().max(50), z.union([z.string().max(4000), z.number(), z.boolean(), z.null()])),
      )
      .default({}),
    /** Parts of the list's path, where it has some. */
    params: z.record(z.string().max(50), f.token(50)).default({}),
    /** Keys of columns in the order wanted; none means all. */
    columns: z.array(f.token(50)).max(100).default([]),
    /** What for; demanded where the rows carry personal data. */
    usage: f.remark("用途说明", 100).default(""),
  }),
});

export const retryDownload = tasks.post("/:id/retry", "重试导出任务", "login", { reply: z.null() });

/** Cancels what is still being made, removes what is done. Ids of others change nothing. */
export const removeDownloads = tasks.delete("", "取消或删除导出任务", "login", {
  query: z.object({ ids: idList }),
  reply: z.object({ changed: z.number().int() }),
});

export const downloadFile = tasks.get("/:id/file", "下载导出文件", "login", {
  effect: "write",
  target: "download",
  timeout: 300_000,
});

export const listDownloadRecords = downloadsAt.get("/records", "下载记录", "257.query", {
  query: pageQuery("at").extend({
    type,
    operatorId: filter.record("下载人", OPERATORS),
    ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "时间" }),
  }),
  reply: pageReply(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      operatorName: f.person("下载人"),
      name: f.text("文件"),
      type: f.text("类型"),
      rows: f.number("行数"),
      ip: f.text("地址"),
      usage: f.text("用途说明"),
    }),
  ),
});

/** A file waits to be made. */
export const downloadRequested = event("download.requested", z.object({ id: f.id }));
