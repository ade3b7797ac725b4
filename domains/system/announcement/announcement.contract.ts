import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { freeText } from "../../../platform/kernel/texts/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { type Validator, all, check, lengthBetween, required } from "../../../platform/kernel/validators.ts";
import { AUDIENCES, READ_STATES, SAVED_AS, STATES } from "./announcement.rules.ts";

export const BASE = "/system/api/v3/announcement" as const;
const announcements = callsAt(BASE, "announcement");
const file = z.object({ id: f.id, name: z.string(), size: z.number(), type: z.string() });

const row = z.object({
  id: f.id,
  title: f.link("标题"),
  scope: f.text("范围"),
  publishAt: f.instant("发布时间"),
  expireAt: f.instant("失效时间").nullable(),
  state: f.status("状态", STATES),
  /** Shares of those it is for; null to whoever only reads. */
  readRate: f.progress("已读/应读").nullable(),
  confirmRate: f.progress("已确认").nullable(),
  addressed: f.number("应读").nullable(),
  reads: f.number("已读").nullable(),
  confirms: f.number("已确认人数").nullable(),
  publisherName: f.person("发布人"),
  pinned: f.flag("置顶"),
  mustConfirm: f.flag("须确认"),
  /** Of the caller. */
  read: z.boolean(),
  confirmed: z.boolean(),
});

const detail = row.extend({
  content: z.string(),
  audience: f.status("发布范围", AUDIENCES),
  villageIds: z.array(f.id),
  departmentIds: z.array(f.id),
  files: z.array(file),
  version: f.version,
});

/** For the super types all of their company's, for everybody else, and with `mine`, what is addressed to them. */
export const listAnnouncements = announcements.get("/getList", "公告列表", "login", {
  query: pageQuery("publishAt").extend({
    mine: z.literal("1").optional(),
    /** Only what the caller must still confirm. */
    unconfirmed: z.literal("1").optional(),
    state: filter.choices("状态", STATES),
    ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "发布时间" }),
    keyword: filter.keyword("标题", 60),
  }),
  reply: pageReply(row),
});

export const getAnnouncement = announcements.get("/:id", "公告详情", "login", { reply: detail });

const said = (title: string, min: number, max: number, more?: Validator) => {
  const missing = `请输入${title}`;
  const length = lengthBetween(min, max, `${title}长度为${min}到${max}个字`);
  const right = all(required(missing), length, ...(more ? [more] : []));
  return z.string({ error: missing }).trim().superRefine(check(right)).meta({ title, kind: "text", max });
};

const body = z
  .object({
    title: said("公告标题", 2, 60, freeText),
    audience: f.choice("发布范围", AUDIENCES),
    villageIds: z.array(f.id).max(500).default([]).meta({ title: "门店", kind: "tags" }),
    departmentIds: z.array(f.id).max(500).default([]).meta({ title: "部门", kind: "tags" }),
    /** Bold, links and lists by marks: announcement.rules.ts. */
    content: f.worded("marked", said("公告内容", 1, 5000)),
    /** Empty: now. */
    publishAt: f.instantInput("发布时间").nullish(),
    expireAt: f.instantInput("失效时间").nullish(),
    pinned: z.boolean().default(false).meta({ title: "置顶", kind: "flag" }),
    mustConfirm: z.boolean().default(false).meta({ title: "须确认", kind: "flag" }),
    fileIds: z.array(f.id).max(5, "附件最多5个").default([]).meta({ title: "附件", kind: "file" }),
    state: f.choice("保存方式", SAVED_AS).default("published"),
  })
  .superRefine((value, ctx) => {
    const wrong = (key: string, message: string) => ctx.addIssue({ code: "custom", path: [key], message });
    if (value.audience === "villages" && !value.villageIds.length) wrong("villageIds", "请选择门店");
    if (value.audience === "departments" && !value.departmentIds.length) wrong("departmentIds", "请选择部门");
    // compared in one zone on the server, which also knows what now is
    if (value.publishAt && value.expireAt && value.expireAt <= value.publishAt)
      wrong("expireAt", "失效时间须晚于发布时间");
  });

export const addAnnouncement = announcements.post("/add", "新增公告", "login", {
  body,
  reply: z.object({ id: f.id }),
});

export const editAnnouncement = announcements.put("/update/:id", "编辑公告", "login", {
  body: body.safeExtend({
    version: f.version,
    /** Everybody is told anew and reads it anew. */
    resetRead: z.boolean().default(false).meta({ title: "重置已读", kind: "flag" }),
  }),
  reply: z.object({ id: f.id }),
});

const moved = (verb: string, summary: string) =>
  announcements.put(`/${verb}/:id`, summary, "login", { reply: z.null() });
export const deleteAnnouncement = moved("delete", "删除公告");
export const withdrawAnnouncement = moved("withdraw", "撤回公告");

/** Departments to address. */
export const audienceDepartments = announcements.get("/departments", "公告可选部门", "login", {
  reply: z.array(z.object({ id: f.id, name: z.string() })),
});

/** An announcement may be due. */
export const announcementSaved = event("announcement.saved", z.object({ id: f.id }));

/** Everybody whom an announcement is for, those who have not read it first. */
export const listReaders = announcements.get("/:id/readers", "公告阅读情况", "login", {
  query: pageQuery("name").extend({ readState: filter.choices("阅读状态", READ_STATES) }),
  reply: pageReply(
    z.object({
      id: f.id,
      name: f.person("姓名"),
      departments: f.text("部门"),
      readState: f.status("阅读状态", READ_STATES),
      readAt: f.instant("阅读时间").nullable(),
      confirmedAt: f.instant("确认时间").nullable(),
    }),
  ),
});

export const readersExport = exportOf({
  type: "announcementReaders",
  title: "公告阅读情况",
  // the super types hold it with everything else, and the list refuses everybody who is none
  needs: "94.export",
  list: listReaders,
});

const own = (verb: "read" | "confirm", summary: string) =>
  announcements.put(`/:id/${verb}`, summary, "login", { reply: z.null() });
export const readAnnouncement = own("read", "阅读公告");
export const confirmAnnouncement = own("confirm", "确认公告");

export const announcementFile = announcements.get("/:id/file/:fileId", "公告附件", "login", {
  params: oneRecord.extend({ fileId: z.coerce.number().pipe(f.id) }),
});
