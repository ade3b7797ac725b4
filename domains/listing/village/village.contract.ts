import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { z } from "zod";
import { mobileOrLandline } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { matches } from "../../../platform/kernel/validators.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { DISTRICTS } from "../../place/district/district.contract.ts";
import { ACCOUNT_WORDS, VILLAGE_MODES, VILLAGE_STATES, PICTURES_PER_TYPE } from "./village.rules.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/housingVillage";
const at = callsAt(path, "village");

const point = (title: string, limit: number) =>
  z
    .number({ error: `${title}格式不正确` })
    .min(-limit, `${title}格式不正确`)
    .max(limit, `${title}格式不正确`)
    .meta({ title, kind: "number" })
    .nullish();

/** What the form of a village carries. */
export const villageBody = z
  .object({
    code: f.checked(
      "门店编码",
      matches(/^[A-Za-z0-9_-]{2,20}$/, "门店编码为2-20位字母、数字、下划线或中划线"),
      {
        max: 20,
      },
    ),
    name: f.checked("门店名称", nameOf("门店名称"), { max: 30 }),
    shortName: f.remark("简称", 10).default(""),
    mode: f.choice("模式", VILLAGE_MODES),
    districtId: f.pick("区域"),
    address: f.input("地址", 5, 100),
    lng: point("经度", 180),
    lat: point("纬度", 90),
    /** Only who acts for the whole platform may name another enterprise than the own one. */
    enterpriseId: f.pick("企业").optional(),
    managerId: f.pick("店长"),
    phone: f.checked("联系电话", mobileOrLandline, { kind: "phone", max: 20 }),
    serviceHours: f.remark("服务时间", 50).default(""),
    openingDay: f.dayInput("开业日"),
    intro: f.remark("介绍", 2000).default(""),
    tags: z
      .array(f.input("标签", 1, 10))
      .max(10, "标签最多10个")
      .default([]),
  })
  .refine((v) => (v.lng == null) === (v.lat == null), { path: ["lng"], error: "经纬度须同时填写" });

const facts = {
  id: f.id,
  code: f.text("编码"),
  name: f.link("门店名称"),
  shortName: f.text("简称"),
  mode: f.status("模式", VILLAGE_MODES),
  districtId: f.id,
  districtName: f.text("区域"),
  address: f.text("地址"),
  managerId: f.id,
  managerName: f.person("店长"),
  phone: f.phone("电话"),
  openingDay: f.day("开业日"),
  closedDay: f.day("停业日").nullable(),
  state: f.status("状态", VILLAGE_STATES),
  version: f.version,
};

export const villageRow = z.object({
  ...facts,
  lng: z.coerce.number().nullable(),
  lat: z.coerce.number().nullable(),
  cover: f.id.nullable(),
  buildings: f.number("楼栋"),
  rooms: f.number("房间"),
  rentable: f.number("可租房间"),
  let: f.number("在租房间"),
  letRate: f
    .progress("出租率", {
      help: "在租房间 ÷ 可租房间（今天）；维修、停用、自用的房间不计入",
    })
    .nullable(),
  account: f.status("收款账户", ACCOUNT_WORDS),
});

/** Those who may keep a store. */
const MANAGERS: filter.Source = {
  call: listHolders,
  query: { permit: "6.query" },
  option: (o: { id: number; realName: string }) => ({ value: o.id, label: o.realName }),
};

export const villages = at.get("", "门店列表", "6.query", {
  query: pageQuery("state", "name", "code", "openingDay", "buildings", "rooms").extend({
    districtId: filter.by(z.coerce.number().int().positive().optional(), {
      kind: "record",
      title: "区域",
      source: DISTRICTS,
    }),
    mode: filter.choice("模式", VILLAGE_MODES),
    state: filter.choice("状态", VILLAGE_STATES),
    enterpriseId: z.coerce.number().int().positive().optional(),
    managerId: filter.by(z.coerce.number().int().positive().optional(), {
      kind: "record",
      title: "店长",
      source: MANAGERS,
    }),
    villageIds: filter.villages(),
    keyword: filter.keyword("编码、名称、地址"),
  }),
  reply: pageReply(villageRow, z.object({ buildings: f.number("楼栋"), rooms: f.number("房间") })),
});

export const villageOptions = at.get("/options", "门店选项", "login", {
  reply: z.array(
    z.object({
      id: f.id,
      name: f.text("门店名称"),
      shortName: f.text("简称"),
      code: f.text("编码"),
      mode: f.status("模式", VILLAGE_MODES),
      status: f.status("状态", VILLAGE_STATES),
      districtId: f.id,
      districtName: f.text("区域"),
      /** Initials, for the search of people who type pinyin. */
      pinyin: z.string(),
    }),
  ),
});

const family = recordCalls({ path, code: 6, title: "门店", target: "village" });

export const village = family.get(
  z.object({
    ...facts,
    enterpriseId: f.id,
    enterpriseName: f.text("企业"),
    lng: z.coerce.number().nullable(),
    lat: z.coerce.number().nullable(),
    serviceHours: f.text("服务时间"),
    intro: f.text("介绍"),
    tags: z.array(z.string()),
    buildings: f.number("楼栋"),
    createdAt: f.instant("创建时间"),
  }),
);

export const addVillage = family.add(villageBody);
export const editVillage = family.edit(villageBody);
export const deleteVillage = family.delete();

export const openVillage = at.put("/:id/enable", "门店开业", "6.enable", {
  body: z.object({
    version: f.version,
    /** Of a store that was closed; the days before it stay closed. Today when absent. */
    openDay: f.dayInput("重新开业日").optional(),
    reason: f.reason("重新开业原因").optional(),
  }),
  reply: z.object({ id: f.id }),
});

export const closeVillage = at.put("/:id/disable", "门店停业", "6.disable", {
  body: z.object({
    version: f.version,
    closedDay: f.dayInput("停业日").optional(),
    reason: f.reason("停业原因"),
  }),
  reply: z.object({ id: f.id }),
});

/** Operators who have the village in scope; read only, they are managed with the permissions. */
export const villageStaff = at.get("/:id/staff", "门店人员", "6.get", {
  reply: z.array(
    z.object({
      id: f.id,
      realName: f.person("姓名"),
      phone: f.phone("手机"),
      roles: f.text("角色"),
      departments: f.text("部门"),
      manager: z.boolean(),
    }),
  ),
});

export const exportVillages = exportOf({
  type: "village",
  title: "门店",
  needs: "6.export",
  list: villages,
  filters: { enterpriseId: "企业" },
});

const oneAt = callsAt("/room/api/v3/housingVillage/:id", "village");

const clock = (title: string) =>
  z
    .string({ error: `请选择${title}` })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${title}格式不正确`)
    .meta({ title, kind: "text" });

const yesNo = (title: string, help: string) =>
  z.boolean({ error: `请选择${title}` }).meta({ title, kind: "flag", help });

const fields = z.object({
  cleaningAfterLeave: yesNo("退房后待保洁", "退房结算完成后房间转为待保洁，保洁完成后才能入住"),
  reservationUnpaidMinutes: f.whole("未付定金保留时长", 0, 1000, {
    unit: "分钟",
    help: "0 表示付款后才保留",
  }),
  reservationMaxDays: f.whole("预订最长保留", 1, 60, { unit: "天" }),
  earnestKind: z
    .enum(["定金", "订金"], { error: "请选择定金类型" })
    .meta({ title: "定金类型", kind: "text" }),
  leadIdleDays: f.whole("客源转公海天数", 1, 99, { unit: "天", help: "不填则使用平台参数" }).nullish(),
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

export const getVillageSetting = oneAt.get("/setting", "门店规则", "6.get", {
  params: oneRecord,
  reply: fields.extend({ version: f.version }),
});

export const setVillageSetting = oneAt.put("/setting", "修改门店规则", "6.edit", {
  params: oneRecord,
  body: villageSetting.safeExtend({ version: f.version }),
  reply: z.object({ version: f.version }),
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
  blocks: f.some(blocks).min(1, "请选择要复制的设置"),
  villageIds: z.array(f.id).min(1, "请选择门店").max(500, "一次最多500个门店"),
});
const differences = z.array(
  z.object({
    villageId: f.id,
    villageName: z.string(),
    changes: z.array(z.object({ field: z.string(), title: z.string(), from: z.string(), to: z.string() })),
  }),
);

export const previewSettingCopy = oneAt.post("/setting/preview", "预览复制门店规则", "6.edit", {
  effect: "read",
  params: oneRecord,
  body: copyBody,
  reply: differences,
});

export const copySetting = oneAt.post("/setting/copy", "复制门店规则", "6.edit", {
  params: oneRecord,
  body: copyBody,
  reply: differences,
});

const picture = z.object({
  type: z.number().int().min(0).max(3),
  fileId: f.id.meta({ title: "图片", kind: "file" }),
  caption: f.remark("说明", 30).default(""),
});
export const villagePictures = oneAt.get("/pictures", "门店图片", "6.get", {
  params: oneRecord,
  reply: z.array(picture.extend({ id: f.id })),
});

/** The whole set in its order; what is left out goes. */
export const setVillagePictures = oneAt.put("/pictures", "修改门店图片", "6.edit", {
  params: oneRecord,
  body: z
    .object({ version: f.version, pictures: z.array(picture).max(4 * PICTURES_PER_TYPE) })
    .refine(
      (b) => [0, 1, 2, 3].every((t) => b.pictures.filter((p) => p.type === t).length <= PICTURES_PER_TYPE),
      { path: ["pictures"], error: `每类图片最多${PICTURES_PER_TYPE}张` },
    ),
  reply: z.object({ version: f.version }),
});
