import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { CATEGORIES, DIC_STATES } from "./asset.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const path = "/system/api/v3/dic/asset";

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
export const listAssetDic = call({
  method: "GET",
  path: `${path}/list`,
  summary: "资产字典",
  needs: ["117.query", "6.query", "6.get"],
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

export const addAssetDic = call({
  method: "POST",
  path: `${path}/add`,
  summary: "新增资产字典项",
  needs: "117.add",
  target: "assetDic",
  body: assetDicBody,
  reply: z.object({ id: f.id }),
});

export const editAssetDic = call({
  method: "PUT",
  path: `${path}/:id`,
  summary: "修改资产字典项",
  needs: ["117.edit", "117.enable", "117.disable"],
  target: "assetDic",
  params: oneRecord,
  body: z
    .object({ ...fields, enabled: z.boolean(), version: f.version })
    .partial()
    .required({ version: true }),
  reply: z.null(),
});

export const deleteAssetDic = call({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "删除资产字典项",
  needs: "117.delete",
  target: "assetDic",
  params: oneRecord,
  reply: z.null(),
});
