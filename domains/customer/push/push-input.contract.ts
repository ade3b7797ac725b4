import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { bodyText } from "../../system/template/template.contract.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { CATEGORIES, KINDS, STAGES } from "./push.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

export const BASE = "/customer/api/v3/push";
export const pushId = oneRecord;
export const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];
const several = <K extends string>(title: string, w: Record<K, readonly [string, f.Tone]>) =>
  f.some(words(w), `请选择${title}`).meta({ title, kind: "tags", words: w });

/** Whom: a kind of party in some stores, narrowed by what is known of it. */
export const audience = {
  kind: f.choice("对象", KINDS),
  villageIds: z
    .array(f.id, { error: "请选择门店" })
    .min(1, "请选择门店")
    .max(500)
    .meta({ title: "门店", kind: "text" }),
  buildingIds: z.array(f.id).max(500).default([]).meta({ title: "楼栋", kind: "text" }),
  tags: z.array(f.remark("标签", 20)).max(10).default([]).meta({ title: "标签", kind: "text" }),
  stages: several("阶段", STAGES).default([]),
  arrears: f.flag("仅欠费").default(false),
  expiringWithin: f.whole("即将到期", 1, 365, { unit: "天内" }).nullish(),
  /** Only these, and all but those. */
  ids: z.array(f.id).max(2000).default([]).meta({ title: "指定客户", kind: "text" }),
  exclude: z.array(f.id).max(2000).default([]).meta({ title: "排除", kind: "text" }),
};
export const audienceInput = z.object(audience);
export type Audience = z.output<typeof audienceInput>;

export const content = {
  title: f.input("标题", 2, 50),
  category: f.choice("类别", CATEGORIES),
  channels: several("渠道", CHANNELS).min(1, "请选择渠道"),
  templateId: f.pick("模板").nullish(),
  body: bodyText("推送内容"),
  at: f.instantInput("发送时间").nullish(),
};
export const pushInput = z.object({ ...content, ...audience });
export type PushInput = z.output<typeof pushInput>;
