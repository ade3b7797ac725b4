import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
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
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { ACTS, RESULTS } from "./words.rules.ts";

const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];

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

export const listingEvents = call({
  method: "GET",
  path: "/room/api/v3/listingEvent",
  summary: "房源同步日志",
  needs: "67.query",
  query: pageQuery("at", "millis").extend({
    channelId: z.coerce.number().int().positive().optional(),
    villageIds: idList,
    act: wordList(words(ACTS)),
    result: z.enum(words(RESULTS)).optional(),
    from: dayInput("日期").optional(),
    to: dayInput("日期").optional(),
    keyword: z.string().trim().max(50, "关键字最多50个字").optional(),
  }),
  reply: pageReply(eventRow),
});

export const exportEvents = exportOf({
  type: "listingEvent",
  title: "房源同步日志",
  needs: "67.export",
  list: listingEvents,
  filters: { channelId: "渠道", villageIds: "门店", from: "时间起", to: "时间止" },
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
    channelId: z.coerce.number().int().positive().optional(),
    villageIds: idList,
    keyword: z.string().trim().max(50, "关键字最多50个字").optional(),
  }),
  reply: pageReply(enquiryRow),
});
