import { z } from "zod";
import { contactMobile } from "../../../platform/kernel/texts/contact.ts";
import { checked, id, input, instantInput, remark, secret, token } from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const TOKEN = /^[A-Za-z0-9_-]{32,64}$/;
const feeds = callsAt("/room/api/v3/feed");

/** What is vacant and published, as JSON or XML by the ending of the secret address. */
export const readFeed = feeds.get("/:token", "房源数据源", "public", {
  perMinute: 60,
  params: z.object({ token: secret(z.string().regex(/^[A-Za-z0-9_-]{32,64}\.(json|xml)$/)) }),
  query: z.object({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    size: z.coerce.number().int().min(1).max(500).optional(),
    updatedSince: instantInput("时间").optional(),
  }),
});

/** An enquiry about a room of the feed; sent twice, it is one. */
export const feedLead = feeds.post("/:token/lead", "渠道提交咨询", "public", {
  perMinute: 60,
  params: z.object({ token: secret(z.string().regex(TOKEN)) }),
  body: z.object({
    outsideId: token(64, "咨询编号为1到64位字母、数字、点、冒号、下划线或中划线")
      .trim()
      .min(1, "缺少咨询编号"),
    roomId: id,
    name: input("姓名", 1, 30),
    phone: checked("手机", contactMobile, { kind: "phone" }),
    message: remark("咨询内容", 500).default(""),
  }),
  reply: z.object({ accepted: z.boolean() }),
});

/** A picture of a published room, at its signed address. */
export const listingPicture = callsAt("/room/api/v3/listingPicture").get("/:id", "发布房源图片", "public", {
  query: z.object({ sig: z.string().max(64).default("") }),
});
