import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { mobileOrLandline } from "../../../platform/kernel/contact.ts";
import {
  checked,
  choice,
  day,
  dayInput,
  id,
  input,
  instant,
  link,
  number,
  person,
  phone,
  pick,
  progress,
  reason,
  remark,
  status,
  text,
  version,
} from "../../../platform/kernel/field.ts";
import { nameOf } from "../../../platform/kernel/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { matches } from "../../../platform/kernel/validators.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { DISTRICTS } from "../../place/district/district.contract.ts";
import { ACCOUNT_WORDS, VILLAGE_MODES, VILLAGE_STATES } from "./village.rules.ts";
import { oneRecord, recordCalls } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/housingVillage";

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
    code: checked(
      "门店编码",
      matches(/^[A-Za-z0-9_-]{2,20}$/, "门店编码为2-20位字母、数字、下划线或中划线"),
      {
        max: 20,
      },
    ),
    name: checked("门店名称", nameOf("门店名称"), { max: 30 }),
    shortName: remark("简称", 10).default(""),
    mode: choice("模式", VILLAGE_MODES),
    districtId: pick("区域"),
    address: input("地址", 5, 100),
    lng: point("经度", 180),
    lat: point("纬度", 90),
    /** Only who acts for the whole platform may name another enterprise than the own one. */
    enterpriseId: pick("企业").optional(),
    managerId: pick("店长"),
    phone: checked("联系电话", mobileOrLandline, { kind: "phone", max: 20 }),
    serviceHours: remark("服务时间", 50).default(""),
    openingDay: dayInput("开业日"),
    intro: remark("介绍", 2000).default(""),
    tags: z
      .array(input("标签", 1, 10))
      .max(10, "标签最多10个")
      .default([]),
  })
  .refine((v) => (v.lng == null) === (v.lat == null), { path: ["lng"], error: "经纬度须同时填写" });

const facts = {
  id,
  code: text("编码"),
  name: link("门店名称"),
  shortName: text("简称"),
  mode: status("模式", VILLAGE_MODES),
  districtId: id,
  districtName: text("区域"),
  address: text("地址"),
  managerId: id,
  managerName: person("店长"),
  phone: phone("电话"),
  openingDay: day("开业日"),
  closedDay: day("停业日").nullable(),
  state: status("状态", VILLAGE_STATES),
  version,
};

export const villageRow = z.object({
  ...facts,
  lng: z.coerce.number().nullable(),
  lat: z.coerce.number().nullable(),
  cover: id.nullable(),
  buildings: number("楼栋"),
  rooms: number("房间"),
  rentable: number("可租房间"),
  let: number("在租房间"),
  letRate: progress("出租率", {
    help: "在租房间 ÷ 可租房间（今天）；维修、停用、自用的房间不计入",
  }).nullable(),
  account: status("收款账户", ACCOUNT_WORDS),
});

/** Those who may keep a store. */
const MANAGERS: filter.Source = {
  call: listHolders,
  query: { permit: "6.query" },
  option: (o: { id: number; realName: string }) => ({ value: o.id, label: o.realName }),
};

export const villages = call({
  method: "GET",
  path,
  summary: "门店列表",
  needs: "6.query",
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
  reply: pageReply(villageRow, z.object({ buildings: number("楼栋"), rooms: number("房间") })),
});

export const villageOptions = call({
  method: "GET",
  path: `${path}/options`,
  summary: "门店选项",
  needs: "login",
  reply: z.array(
    z.object({
      id,
      name: text("门店名称"),
      shortName: text("简称"),
      code: text("编码"),
      mode: status("模式", VILLAGE_MODES),
      status: status("状态", VILLAGE_STATES),
      districtId: id,
      districtName: text("区域"),
      /** Initials, for the search of people who type pinyin. */
      pinyin: z.string(),
    }),
  ),
});

const family = recordCalls({ path, code: 6, title: "门店", target: "village" });

export const village = family.get(
  z.object({
    ...facts,
    enterpriseId: id,
    enterpriseName: text("企业"),
    lng: z.coerce.number().nullable(),
    lat: z.coerce.number().nullable(),
    serviceHours: text("服务时间"),
    intro: text("介绍"),
    tags: z.array(z.string()),
    buildings: number("楼栋"),
    createdAt: instant("创建时间"),
  }),
);

export const addVillage = family.add(villageBody);
export const editVillage = family.edit(villageBody);
export const deleteVillage = family.delete();

export const openVillage = call({
  method: "PUT",
  path: `${path}/:id/enable`,
  summary: "门店开业",
  needs: "6.enable",
  target: "village",
  params: oneRecord,
  body: z.object({ version, reason: reason("重新开业原因").optional() }),
  reply: z.object({ id }),
});

export const closeVillage = call({
  method: "PUT",
  path: `${path}/:id/disable`,
  summary: "门店停业",
  needs: "6.disable",
  target: "village",
  params: oneRecord,
  body: z.object({ version, closedDay: dayInput("停业日").optional(), reason: reason("停业原因") }),
  reply: z.object({ id }),
});

/** Operators who have the village in scope; read only, they are managed with the permissions. */
export const villageStaff = call({
  method: "GET",
  path: `${path}/:id/staff`,
  summary: "门店人员",
  needs: "6.get",
  params: oneRecord,
  reply: z.array(
    z.object({
      id,
      realName: person("姓名"),
      phone: phone("手机"),
      roles: text("角色"),
      departments: text("部门"),
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
