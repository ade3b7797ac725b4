import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { id, remark, some, version, whole } from "../../../platform/kernel/field.ts";
import { PICTURES_PER_TYPE } from "./village.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/housingVillage/:id";
const clock = (title: string) =>
  z
    .string({ error: `请选择${title}` })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${title}格式不正确`)
    .meta({ title, kind: "text" });

const yesNo = (title: string, help: string) =>
  z.boolean({ error: `请选择${title}` }).meta({ title, kind: "flag", help });

const fields = z.object({
  cleaningAfterLeave: yesNo("退房后待保洁", "退房结算完成后房间转为待保洁，保洁完成后才能入住"),
  reservationUnpaidMinutes: whole("未付定金保留时长", 0, 1000, { unit: "分钟", help: "0 表示付款后才保留" }),
  reservationMaxDays: whole("预订最长保留", 1, 60, { unit: "天" }),
  earnestKind: z
    .enum(["定金", "订金"], { error: "请选择定金类型" })
    .meta({ title: "定金类型", kind: "text" }),
  leadIdleDays: whole("客源转公海天数", 1, 99, { unit: "天", help: "不填则使用平台参数" }).nullish(),
  publishDefault: yesNo("空置自动发布", "新空出的房间默认发布到房源渠道"),
  showingFrom: clock("看房开始时间"),
  showingTo: clock("看房结束时间"),
  quietFrom: clock("免打扰开始时间"),
  quietTo: clock("免打扰结束时间"),
});

/** Rules of one village. A change touches new acts only. */
export const villageSetting = fields
  .refine((s) => s.showingFrom < s.showingTo, {
    path: ["showingTo"],
    error: "看房结束时间须晚于开始时间",
  })
  .refine((s) => s.quietFrom !== s.quietTo, {
    path: ["quietTo"],
    error: "免打扰结束时间不能与开始时间相同",
  });

export const getVillageSetting = call({
  method: "GET",
  path: `${path}/setting`,
  summary: "门店规则",
  needs: "6.get",
  params: oneRecord,
  reply: fields.extend({ version }),
});

export const setVillageSetting = call({
  method: "PUT",
  path: `${path}/setting`,
  summary: "修改门店规则",
  needs: "6.edit",
  target: "village",
  params: oneRecord,
  body: villageSetting.safeExtend({ version }),
  reply: z.object({ version }),
});

/** Blocks of settings that can be carried over to other villages; every block is a list of fields. */
export const SETTING_BLOCKS = {
  cleaning: ["cleaningAfterLeave"],
  reservation: ["reservationUnpaidMinutes", "reservationMaxDays", "earnestKind", "showingFrom", "showingTo"],
  lead: ["leadIdleDays"],
  publish: ["publishDefault"],
  quiet: ["quietFrom", "quietTo"],
} as const;
const blocks = Object.keys(SETTING_BLOCKS) as [
  keyof typeof SETTING_BLOCKS,
  ...(keyof typeof SETTING_BLOCKS)[],
];

const copyBody = z.object({
  blocks: some(blocks).min(1, "请选择要复制的设置"),
  villageIds: z.array(id).min(1, "请选择门店").max(500, "一次最多500个门店"),
});
const differences = z.array(
  z.object({
    villageId: id,
    villageName: z.string(),
    changes: z.array(z.object({ field: z.string(), title: z.string(), from: z.string(), to: z.string() })),
  }),
);

export const previewSettingCopy = call({
  method: "POST",
  path: `${path}/setting/preview`,
  summary: "预览复制门店规则",
  needs: "6.edit",
  effect: "read",
  params: oneRecord,
  body: copyBody,
  reply: differences,
});

export const copySetting = call({
  method: "POST",
  path: `${path}/setting/copy`,
  summary: "复制门店规则",
  needs: "6.edit",
  target: "village",
  params: oneRecord,
  body: copyBody,
  reply: differences,
});

const picture = z.object({
  type: z.number().int().min(0).max(3),
  fileId: id.meta({ title: "图片", kind: "file" }),
  caption: remark("说明", 30).default(""),
});
export const villagePictures = call({
  method: "GET",
  path: `${path}/pictures`,
  summary: "门店图片",
  needs: "6.get",
  params: oneRecord,
  reply: z.array(picture.extend({ id })),
});

/** The whole set in its order; what is left out goes. */
export const setVillagePictures = call({
  method: "PUT",
  path: `${path}/pictures`,
  summary: "修改门店图片",
  needs: "6.edit",
  target: "village",
  params: oneRecord,
  body: z
    .object({ version, pictures: z.array(picture).max(4 * PICTURES_PER_TYPE) })
    .refine(
      (b) => [0, 1, 2, 3].every((t) => b.pictures.filter((p) => p.type === t).length <= PICTURES_PER_TYPE),
      { path: ["pictures"], error: `每类图片最多${PICTURES_PER_TYPE}张` },
    ),
  reply: z.object({ version }),
});
