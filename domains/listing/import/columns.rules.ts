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

export type Column = {
  key: ColumnKey;
  title: string;
  /** always, or where it is asked for: scattered villages, divided flats */
  required?: true | string;
  /** Said as a comment on the head of the column. */
  hint: string;
  width: number;
  /** Fixed choices for a drop-down; others are drawn from the sheet 字典. */
  words?: readonly string[];
  /** As the sheet 字典 calls the list. */
  list?: "门店" | "楼栋" | "产品" | "设施" | "朝向" | "装修" | "产权来源";
};

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
const wordsOf = (of: Record<string, string>) => Object.keys(of);

/** The columns of the sheet 房源, in its order. */
export const COLUMNS: readonly Column[] = [
  { key: "village", title: "门店", required: true, hint: "门店名称、简称或编码", width: 14, list: "门店" },
  { key: "community", title: "小区", required: "分散式", hint: "分散式门店必填，2到30个字", width: 14 },
  {
    key: "building",
    title: "楼栋",
    required: true,
    hint: "1到18个字；不存在的会新建",
    width: 10,
    list: "楼栋",
  },
  { key: "unit", title: "单元", hint: "没有单元可不填；不存在的会新建", width: 10 },
  { key: "floor", title: "楼层", required: true, hint: "3、3F 或 B1；不存在的会新建", width: 8 },
  { key: "door", title: "门牌", required: true, hint: "同一楼栋单元内不能重复，最多18个字", width: 10 },
  {
    key: "mode",
    title: "出租方式",
    required: true,
    hint: "整租、合租、床位、商铺、车位、仓储",
    width: 10,
    words: wordsOf(MODE_WORDS),
  },
  { key: "wholeToo", title: "可整租", hint: "合租、床位可填：是或否", width: 8, words: ["是", "否"] },
  {
    key: "rooms",
    title: "房间名",
    required: "合租、床位",
    hint: "用逗号分开，如 A,B,C；每个最多18个字符",
    width: 16,
  },
  { key: "bedrooms", title: "室", hint: "0到10", width: 6 },
  { key: "halls", title: "厅", hint: "0到10", width: 6 },
  { key: "baths", title: "卫", hint: "0到10", width: 6 },
  { key: "kitchens", title: "厨", hint: "0到10", width: 6 },
  { key: "grossArea", title: "建筑面积", required: true, hint: "平方米，最多两位小数", width: 10 },
  { key: "innerArea", title: "套内面积", hint: "不大于建筑面积", width: 10 },
  {
    key: "roomArea",
    title: "房间面积",
    hint: "各间不同时用 / 分开，与房间名一一对应，如 15/12.5",
    width: 12,
  },
  { key: "orientation", title: "朝向", hint: "见“字典”", width: 8, list: "朝向" },
  { key: "decoration", title: "装修", hint: "见“字典”", width: 8, list: "装修" },
  { key: "product", title: "产品", hint: "产品名称或编码，见“字典”", width: 14, list: "产品" },
  { key: "unitOfPrice", title: "计价单位", hint: "不填为 元/月", width: 10, words: wordsOf(UNIT_WORDS) },
  {
    key: "listPrice",
    title: "标价(元)",
    required: true,
    hint: "各间不同时用 / 分开，与房间名一一对应，如 3000/2800",
    width: 12,
  },
  { key: "lowestPrice", title: "底价(元)", hint: "不高于标价；不填与标价相同", width: 12 },
  { key: "capacity", title: "可住人数", hint: "每间1到50；各间不同时用 / 分开", width: 10 },
  { key: "gender", title: "性别限制", hint: "不限、限男、限女", width: 10, words: wordsOf(GENDER_WORDS) },
  { key: "facilities", title: "设施", hint: "用逗号分开，见“字典”", width: 20 },
  { key: "tags", title: "标签", hint: "用逗号分开，最多10个，每个最多10个字", width: 16 },
  {
    key: "source",
    title: "产权来源",
    hint: "见“字典”；不填为自持",
    width: 10,
    list: "产权来源",
  },
  { key: "headLeaseEnd", title: "上游租约止", hint: "承租时可填，如 2028-06-30", width: 12 },
  { key: "firstDay", title: "可出租日期", hint: "不填为今天", width: 12 },
  { key: "minTerm", title: "最短租期(月)", hint: "1到60", width: 10 },
  { key: "remark", title: "备注", hint: "最多200个字", width: 20 },
];

export const ROWS_MAX = 10_000;
export const SHEET = "房源";

/** The head of a column in the template: 门店*, 小区(分散式*) would be too long, so only what is always asked for is starred. */
export const headOf = (column: Column): string =>
  column.required === true ? `${column.title}*` : column.title;
/** Every head must stand in the file, also those whose cells may stay empty. */
export const SHAPE = { columns: COLUMNS, must: () => true, most: ROWS_MAX };
