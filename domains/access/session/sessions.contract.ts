import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const path = "/system/api/v3/loginSession";

/** Who is signed in: one's own sessions, and with 46.get those of everybody in the enterprise. */
export const listSessions = call({
  method: "GET",
  path,
  summary: "在线会话",
  needs: "login",
  query: pageQuery("createdAt", "lastSeenAt").extend({
    operatorId: z.coerce.number().pipe(f.id).optional(),
    keyword: filter.keyword("账号、姓名、地址"),
  }),
  reply: pageReply(
    z.object({
      id: f.id,
      operatorId: f.id,
      realName: f.person("员工"),
      account: f.text("账号"),
      createdAt: f.instant("登录时间"),
      ip: f.text("地址"),
      device: f.text("终端"),
      lastSeenAt: f.instant("最近操作").nullable(),
      expiresAt: f.instant("到期时间"),
      /** Who looks on, in a session that only reads. */
      viewer: f.text("查看人"),
      mine: f.flag("当前会话"),
    }),
  ),
});

/** 强制下线: the next call of that session gets 401. One's own, or with 46.edit anybody's. */
export const endSession = call({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "结束会话",
  needs: "login",
  target: "session",
  params: oneRecord,
  reply: z.null(),
});
