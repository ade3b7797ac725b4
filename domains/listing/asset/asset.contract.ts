import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { noSpecialCharacters, nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { all, lengthBetween, optional, serialNumber } from "../../../platform/kernel/validators.ts";
import {
  ASSET_ACTS,
  ASSET_STATES,
  CATEGORIES,
  type AssetState,
  type Category,
  DIC_STATES,
} from "./asset.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import * as filter from "../../../platform/kernel/filter.ts";

const path = "/room/api/v3/roomAsset";
const roomAssetsAt = callsAt(path);
const keys = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];
const chosen = z.coerce.number().pipe(f.id).optional();

/** A room or a public area, never both. */
const place = { roomId: f.pick("房间").nullish(), publicAreaId: f.pick("公共区域").nullish() };
const placed = (at: { roomId?: unknown; publicAreaId?: unknown }) => !!at.roomId !== !!at.publicAreaId;
const WHERE = { path: ["roomId"], error: "请选择房间或公共区域" };

const facts = {
  assetDicId: f.pick("资产类别"),
  /** Empty: the house gives one. */
  code: f
    .checked("编号", optional(all(lengthBetween(1, 30, "编号最多30位"), serialNumber)), {
      max: 30,
    })
    .default(""),
  /** Empty: what the dictionary calls it. */
  name: f
    .checked("名称", optional(all(lengthBetween(1, 30, "名称长度为1到30个字"), noSpecialCharacters)), {
      max: 30,
    })
    .default(""),
  brand: f.remark("品牌", 30).default(""),
  model: f.remark("型号", 30).default(""),
  quantity: f.whole("数量", 1, 1000).default(1),
  purchasedOn: f.dayInput("购入日").nullish(),
  /** Empty: the day of purchase and the warranty of the dictionary. */
  warrantyTo: f.dayInput("质保到期").nullish(),
  /** Empty: what the dictionary says now. */
  price: f.amount("单价", 0).nullish(),
  /** Empty: what the dictionary says when it is asked. */
  damagePrice: f.amount("赔偿价", 0).nullish(),
  pictures: f.pictures(5).default([]),
};

export const assetRow = z.object({
  id: f.id,
  code: f.text("编号"),
  name: f.text("名称"),
  category: f.status("类别", CATEGORIES),
  assetDicId: f.id,
  dicName: f.text("资产类别"),
  villageId: f.id,
  villageName: f.text("门店"),
  roomId: f.id.nullable(),
  publicAreaId: f.id.nullable(),
  place: f.text("位置"),
  brand: f.text("品牌"),
  model: f.text("型号"),
  quantity: f.number("数量"),
  unit: f.text("单位"),
  price: f.money("单价"),
  value: f.money("原值"),
  damagePrice: f.money("赔偿价", { help: "没有单独填写时取资产字典当前的赔偿价" }),
  /** Its own, where one was typed. */
  ownDamagePrice: z.number().nullable(),
  purchasedOn: f.day("购入日").nullable(),
  warrantyTo: f.day("质保到期").nullable(),
  pictures: z.array(f.id),
  state: f.status("状态", ASSET_STATES),
  reason: f.text("原因"),
  goneOn: f.day("离开日").nullable(),
  movedTo: f.text("转移到"),
  movedFrom: f.text("转移自"),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});

export const roomAssets = roomAssetsAt.get("", "资产列表", "6.query", {
  query: pageQuery("place", "name", "value", "purchasedOn", "warrantyTo", "updatedAt").extend({
    roomId: chosen,
    publicAreaId: chosen,
    villageIds: idList,
    category: wordList(keys<Category>(CATEGORIES)),
    state: wordList(keys<AssetState>(ASSET_STATES)),
    keyword: z.string().trim().max(50).optional(),
  }),
  reply: pageReply(
    assetRow,
    z.object({ quantity: f.number("数量"), value: f.money("原值"), damageValue: f.money("赔偿总额") }),
  ),
});

export const exportAssets = exportOf({
  type: "roomAsset",
  title: "资产",
  needs: "6.export",
  list: roomAssets,
  filters: {
    roomId: "房间",
    publicAreaId: "公共区域",
    villageIds: "门店",
    category: "类别",
    keyword: "关键字",
  },
});

export const roomAsset = roomAssetsAt.get("/:id", "资产详情", "6.get", { reply: assetRow });

const adding = { needs: "6.edit", target: "roomAsset" } as const;

export const addAsset = call({
  ...adding,
  method: "POST",
  path,
  summary: "新增资产",
  body: z.object({ ...place, ...facts }).refine(placed, WHERE),
  reply: z.object({ id: f.id }),
});

export const editAsset = call({
  ...adding,
  method: "PUT",
  path: `${path}/:id`,
  summary: "修改资产",
  params: oneRecord,
  body: z.object({ ...facts, version: f.version }),
  reply: z.object({ id: f.id }),
});

export const deleteAsset = call({
  ...adding,
  method: "DELETE",
  path: `${path}/:id`,
  summary: "删除资产",
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});

/** Lost and removed need a reason; a damaged piece may be in use again. */
export const turnAsset = call({
  ...adding,
  method: "PUT",
  path: `${path}/:id/state`,
  summary: "资产报损、恢复、报失、移除",
  params: oneRecord,
  body: z.object({
    act: f.choice("操作", ASSET_ACTS),
    reason: f.reason("原因").optional(),
    version: f.version,
  }),
  reply: z.object({ id: f.id }),
});

/** Removed here and a new row there, linked. */
export const moveAssets = call({
  ...adding,
  method: "POST",
  path: `${path}/move`,
  summary: "转移资产",
  body: z
    .object({ ids: f.ids().min(1, "请选择资产").max(500), ...place, reason: f.reason("原因") })
    .refine(placed, WHERE),
  reply: z.object({ ids: z.array(f.id) }),
});

/** What stands in one place once more in others; each piece gets a number of its own. */
export const copyAssets = call({
  ...adding,
  method: "POST",
  path: `${path}/copy`,
  summary: "复制资产",
  body: z
    .object({
      ...place,
      toRoomIds: z.array(f.id).max(200).default([]).meta({ title: "复制到房间", kind: "link" }),
      toPublicAreaIds: z.array(f.id).max(200).default([]).meta({ title: "复制到公共区域", kind: "link" }),
    })
    .refine(placed, WHERE)
    .refine((to) => to.toRoomIds.length + to.toPublicAreaIds.length > 0, {
      path: ["toRoomIds"],
      error: "请选择复制到哪里",
    }),
  reply: z.object({ made: z.number() }),
});

const dicAt = callsAt("/system/api/v3/dic/asset", "assetDic");

// without defaults: an edit that leaves a field out leaves it as it is
const fields = {
  name: f.checked("名称", nameOf("名称"), { max: 30 }),
  category: f.choice("类别", CATEGORIES),
  spec: f.remark("规格", 50),
  unit: f.input("单位", 1, 10),
  price: f.amount("单价", 0),
  damagePrice: f.amount("赔偿价", 0),
  lifeMonths: f.whole("使用年限", 1, 360, { unit: "个月" }).nullish(),
  warrantyMonths: f.whole("质保", 0, 120, { unit: "个月" }),
  needsSerial: z.boolean().meta({ title: "须登记编号", kind: "flag" }),
  pictureFileId: f.id.nullish().meta({ title: "图片", kind: "file" }),
};

/** What the form of a kind of asset carries. */
export const assetDicBody = z.object({
  ...fields,
  spec: fields.spec.default(""),
  damagePrice: fields.damagePrice.default(0),
  warrantyMonths: fields.warrantyMonths.default(0),
  needsSerial: fields.needsSerial.default(false),
});

export const assetDicRow = z.object({
  id: f.id,
  name: f.text("名称"),
  category: f.status("类别", CATEGORIES),
  spec: f.text("规格"),
  unit: f.text("单位"),
  price: f.money("单价"),
  damagePrice: f.money("赔偿价", { help: "退房验收时损坏一件的默认赔偿金额" }),
  lifeMonths: f.number("使用年限", { unit: "个月" }).nullable(),
  warrantyMonths: f.number("质保", { unit: "个月" }),
  needsSerial: f.flag("须登记编号"),
  pictureFileId: f.id.nullable(),
  uses: f.number("使用件数", { help: "各房间和公共区域中在用和损坏的件数" }),
  state: f.status("状态", DIC_STATES),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});

/** Whoever keeps rooms chooses from it, so it is theirs to read too. */
export const listAssetDic = dicAt.get("/list", "资产字典", ["117.query", "6.query", "6.get"], {
  query: pageQuery("name", "category", "price", "damagePrice", "updatedAt").extend({
    category: filter.choice("类别", CATEGORIES),
    state: filter.choice("状态", DIC_STATES),
    keyword: filter.keyword("名称、规格"),
    ids: idList,
  }),
  reply: pageReply(assetDicRow),
});

export const exportAssetDic = exportOf({
  type: "assetDic",
  title: "资产字典",
  needs: "117.export",
  list: listAssetDic,
  filters: { ids: "资产" },
});

export const addAssetDic = dicAt.post("/add", "新增资产字典项", "117.add", {
  body: assetDicBody,
  reply: z.object({ id: f.id }),
});

export const editAssetDic = dicAt.put("/:id", "修改资产字典项", ["117.edit", "117.enable", "117.disable"], {
  body: z
    .object({ ...fields, enabled: z.boolean(), version: f.version })
    .partial()
    .required({ version: true }),
  reply: z.null(),
});

export const deleteAssetDic = dicAt.delete("/:id", "删除资产字典项", "117.delete", { reply: z.null() });
