import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import { id, instant, person, status, text } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { BASE } from "./announcement.contract.ts";
import { READ_STATES } from "./announcement.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

/** Everybody whom an announcement is for, those who have not read it first. */
export const listReaders = call({
  method: "GET",
  path: `${BASE}/:id/readers`,
  summary: "公告阅读情况",
  needs: "login",
  params: oneRecord,
  query: pageQuery("name").extend({ readState: filter.choices("阅读状态", READ_STATES) }),
  reply: pageReply(
    z.object({
      id,
      name: person("姓名"),
      departments: text("部门"),
      readState: status("阅读状态", READ_STATES),
      readAt: instant("阅读时间").nullable(),
      confirmedAt: instant("确认时间").nullable(),
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
  call({
    method: "PUT",
    path: `${BASE}/:id/${verb}`,
    summary,
    needs: "login",
    target: "announcement",
    params: oneRecord,
    reply: z.null(),
  });
export const readAnnouncement = own("read", "阅读公告");
export const confirmAnnouncement = own("confirm", "确认公告");

export const announcementFile = call({
  method: "GET",
  path: `${BASE}/:id/file/:fileId`,
  summary: "公告附件",
  needs: "login",
  params: oneRecord.extend({ fileId: z.coerce.number().pipe(id) }),
});
