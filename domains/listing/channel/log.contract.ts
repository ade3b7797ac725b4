import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import {
  dayInput,
  id,
  instant,
  link,
  number,
  person,
  phone,
  status,
  text,
} from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { CHANNELS } from "./channel.contract.ts";
import { ACTS, RESULTS } from "./adapter.rules.ts";

export const eventRow = z.object({
  id,
  at: instant("时间"),
  channelId: id,
  channelName: link("渠道"),
  roomId: id.nullable(),
  roomName: link("房源").nullable(),
  act: status("动作", ACTS),
  result: status("结果", RESULTS),
  millis: number("耗时", { unit: "毫秒" }),
  answer: text("答复"),
});

const channelId = filter.by(z.coerce.number().int().positive().optional(), {
  kind: "choice",
  title: "渠道",
  source: CHANNELS,
});

export const listingEvents = call({
  method: "GET",
  path: "/room/api/v3/listingEvent",
  summary: "房源同步日志",
  needs: "67.query",
  query: pageQuery("at", "millis").extend({
    channelId,
    villageIds: filter.villages(),
    act: filter.choices("动作", ACTS),
    result: filter.choice("结果", RESULTS),
    ...filter.between("from", "to", dayInput("日期").optional(), { kind: "days", title: "时间" }),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "房间、答复",
    }),
  }),
  reply: pageReply(eventRow),
});

export const exportEvents = exportOf({
  type: "listingEvent",
  title: "房源同步日志",
  needs: "67.export",
  list: listingEvents,
});

export const enquiryRow = z.object({
  id,
  at: instant("时间"),
  channelId: id,
  channelName: link("渠道"),
  roomId: id,
  roomName: link("房源"),
  name: person("姓名"),
  phone: phone("电话"),
  message: text("咨询内容"),
  leadId: id.nullable(),
  leadNumber: link("客源").nullable(),
  ownerName: person("负责人").nullable(),
});

export const enquiries = call({
  method: "GET",
  path: "/room/api/v3/channelEnquiry",
  summary: "渠道咨询",
  needs: "67.query",
  query: pageQuery("at").extend({
    channelId,
    villageIds: filter.villages(),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "姓名、手机号",
    }),
  }),
  reply: pageReply(enquiryRow),
});
