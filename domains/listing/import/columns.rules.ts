import type { ImportColumn } from "../../system/import/import.rules.ts";

export type ColumnKey =
  | "village"
  | "community"
  | "building"
  | "unit"
  | "floor"
  | "door"
  | "mode"
  | "wholeToo"
  | "rooms"
  | "bedrooms"
  | "halls"
  | "baths"
  | "kitchens"
  | "grossArea"
  | "innerArea"
  | "roomArea"
  | "orientation"
  | "decoration"
  | "product"
  | "unitOfPrice"
  | "listPrice"
  | "lowestPrice"
  | "capacity"
  | "gender"
  | "facilities"
  | "tags"
  | "source"
  | "headLeaseEnd"
  | "firstDay"
  | "minTerm"
  | "remark";

export const MODE_WORDS = {
  整租: "whole",
  合租: "shared",
  床位: "bed",
  商铺: "shop",
  车位: "parking",
  仓储: "storage",
} as const;
export const UNIT_WORDS = { "元/月": "month", "元/天": "day", "元/㎡·天": "sqmDay" } as const;
export const GENDER_WORDS = { 不限: "any", 限男: "male", 限女: "female" } as const;

/** The columns of the sheet 房源, in its order. */
export const COLUMNS: readonly ImportColumn<ColumnKey>[] = [
  { key: "village", title: "门店", must: true, note: "门店名称、简称或编码", width: 14, from: "门店" },
  { key: "community", title: "小区", must: "分散式", note: "分散式门店必填，2到30个字", width: 14 },
  {
    key: "building",
    title: "楼栋",
    must: true,
    note: "1到18个字；不存在的会新建",
    kind: "text",
    width: 10,
    from: "楼栋",
    open: true,
  },
  { key: "unit", title: "单元", note: "没有单元可不填；不存在的会新建", kind: "text", width: 10 },
  { key: "floor", title: "楼层", must: true, note: "3、3F 或 B1；不存在的会新建", kind: "text", width: 8 },
  {
    key: "door",
    title: "门牌",
    must: true,
    note: "同一楼栋单元内不能重复，最多18个字",
    kind: "text",
    width: 10,
  },
  {
    key: "mode",
    title: "出租方式",
    must: true,
    note: "整租、合租、床位、商铺、车位、仓储",
    width: 10,
    choices: Object.keys(MODE_WORDS),
  },
  { key: "wholeToo", title: "可整租", note: "合租、床位可填：是或否", width: 8, choices: ["是", "否"] },
  {
    key: "rooms",
    title: "房间名",
    must: "合租、床位",
    note: "用逗号分开，如 A,B,C；每个最多18个字符",
    kind: "text",
    width: 16,
  },
  { key: "bedrooms", title: "室", note: "0到10", width: 6 },
  { key: "halls", title: "厅", note: "0到10", width: 6 },
  { key: "baths", title: "卫", note: "0到10", width: 6 },
  { key: "kitchens", title: "厨", note: "0到10", width: 6 },
  { key: "grossArea", title: "建筑面积", must: true, note: "平方米，最多两位小数", width: 10 },
  { key: "innerArea", title: "套内面积", note: "不大于建筑面积", width: 10 },
  {
    key: "roomArea",
    title: "房间面积",
    note: "各间不同时用 / 分开，与房间名一一对应，如 15/12.5",
    kind: "text",
    width: 12,
  },
  { key: "orientation", title: "朝向", note: "见“字典”", width: 8, from: "朝向" },
  { key: "decoration", title: "装修", note: "见“字典”", width: 8, from: "装修" },
  { key: "product", title: "产品", note: "产品名称或编码，见“字典”", width: 14, from: "产品" },
  {
    key: "unitOfPrice",
    title: "计价单位",
    note: "不填为 元/月",
    width: 10,
    choices: Object.keys(UNIT_WORDS),
  },
  {
    key: "listPrice",
    title: "标价(元)",
    must: true,
    note: "各间不同时用 / 分开，与房间名一一对应，如 3000/2800",
    kind: "text",
    width: 12,
  },
  { key: "lowestPrice", title: "底价(元)", note: "不高于标价；不填与标价相同", kind: "text", width: 12 },
  { key: "capacity", title: "可住人数", note: "每间1到50；各间不同时用 / 分开", kind: "text", width: 10 },
  {
    key: "gender",
    title: "性别限制",
    note: "不限、限男、限女",
    width: 10,
    choices: Object.keys(GENDER_WORDS),
  },
  { key: "facilities", title: "设施", note: "用逗号分开，见“字典”", width: 20 },
  { key: "tags", title: "标签", note: "用逗号分开，最多10个，每个最多10个字", width: 16 },
  {
    key: "source",
    title: "产权来源",
    note: "见“字典”；不填为自持",
    width: 10,
    from: "产权来源",
  },
  { key: "headLeaseEnd", title: "上游租约止", note: "承租时可填，如 2028-06-30", kind: "day", width: 12 },
  { key: "firstDay", title: "可出租日期", note: "不填为今天", kind: "day", width: 12 },
  { key: "minTerm", title: "最短租期(月)", note: "1到60", width: 10 },
  { key: "remark", title: "备注", note: "最多200个字", width: 20 },
];

/** Two rows that show how it is meant; they stand on the sheet of explanations only. */
export const SAMPLES: Partial<Record<ColumnKey, string | number>>[] = [
  {
    building: "3栋",
    unit: "1单元",
    floor: "12F",
    door: "1203",
    mode: "整租",
    bedrooms: 2,
    halls: 1,
    baths: 1,
    grossArea: 89.5,
    innerArea: 72,
    orientation: "南",
    decoration: "精装",
    listPrice: 5200,
    capacity: 4,
    firstDay: "2026-12-01",
  },
  {
    building: "3栋",
    unit: "1单元",
    floor: "12F",
    door: "1204",
    mode: "合租",
    wholeToo: "是",
    rooms: "A,B,C",
    bedrooms: 3,
    halls: 1,
    baths: 2,
    grossArea: 110,
    roomArea: "18/15/12.5",
    orientation: "南北",
    listPrice: "2200/2000/1800",
    lowestPrice: "2000/1800/1600",
    facilities: "空调,床,衣柜",
    tags: "近地铁",
  },
];

export const RULES = [
  "在“房源”工作表中从第 2 行起填写，一行一套房源；本页内容不会导入。",
  "带 * 的列必填；小区在分散式门店必填；房间名在合租、床位必填。",
  "楼栋、单元、楼层不存在时会自动新建；门牌在同一楼栋单元内不能重复。",
  "金额为元，最多两位小数；面积为平方米，最多两位小数；日期如 2026-11-20。",
  "各房间的面积、标价、底价、可住人数不同时，用 / 分开，与房间名一一对应。",
  "不支持公式和合并单元格，请粘贴为数值；一个文件最多 10000 行、10M。",
  "任何一行有错误时整个文件都不会导入；请下载错误文件改正后重新上传。",
];
