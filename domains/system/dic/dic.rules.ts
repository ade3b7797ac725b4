import { greys } from "../../../platform/kernel/words.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export type DicKind = "house" | "facility" | "customer";

/**
 * The groups of a dictionary. Forms rely on them, so nobody adds one. `keeps` says what records hold of a word: its
 * code, which never changes, or its name, which is changed in every record when the word is renamed. `one` is
 * what a single word of the group is called, where that is not its title.
 */
type Group = {
  title: string;
  one?: string;
  keeps: "code" | "name";
  extra?: "colour" | "cleaning" | "facility";
};

export const DIC_GROUPS = {
  house: {
    layoutTag: { title: "户型标签", keeps: "name" },
    orientation: { title: "朝向", keeps: "name" },
    decoration: { title: "装修", keeps: "name" },
    buildingKind: { title: "楼栋类型", keeps: "name" },
    areaKind: { title: "公共区域类型", keeps: "code" },
    roomTag: { title: "房间标签", keeps: "name", extra: "colour" },
    blockNote: { title: "封房说明", keeps: "name" },
    cleanList: { title: "保洁清单", one: "保洁项", keeps: "name", extra: "cleaning" },
    source: { title: "产权来源", keeps: "code" },
    holdReason: { title: "暂不发布原因", keeps: "name" },
  },
  facility: {
    room: { title: "房间设施", keeps: "name", extra: "facility" },
    village: { title: "门店设施", keeps: "name", extra: "facility" },
    publicArea: { title: "公共区域设施", keeps: "name", extra: "facility" },
  },
  customer: {
    source: { title: "来源渠道", keeps: "code" },
    tag: { title: "客户标签", keeps: "name", extra: "colour" },
    job: { title: "职业", keeps: "name" },
    relation: { title: "关系", keeps: "name" },
    lostReason: { title: "流失原因", keeps: "name" },
    leaveReason: { title: "退房原因", keeps: "name" },
    blackReason: { title: "黑名单原因", keeps: "name" },
    adjustReason: { title: "减免原因", keeps: "name" },
    repairKind: { title: "报修类别", keeps: "name" },
    industry: { title: "行业", keeps: "name" },
    scale: { title: "规模", keeps: "name" },
    business: { title: "业态", keeps: "name" },
  },
} as const satisfies Record<DicKind, Record<string, Group>>;

export type DicGroup<K extends DicKind = DicKind> = K extends DicKind
  ? keyof (typeof DIC_GROUPS)[K] & string
  : never;

/** The groups of a kind in order; a kind answers only for those it has. */
export const groupsOf = (kind: DicKind): Record<string, Group> => DIC_GROUPS[kind];

export const DIC_STATE = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;

export const DIC_COLOURS = {
  grey: ["灰", "grey"],
  blue: ["蓝", "blue"],
  cyan: ["青", "cyan"],
  green: ["绿", "green"],
  gold: ["黄", "gold"],
  orange: ["橙", "orange"],
  red: ["红", "red"],
  purple: ["紫", "purple"],
} as const satisfies Words;

/** Drawings that a facility may have, by the name of the icon. */
export const FACILITY_ICONS = greys({
  bed: "床",
  table: "桌椅",
  box: "柜",
  wind: "空调通风",
  flame: "燃气采暖",
  drop: "用水",
  bolt: "电器",
  screen: "影音",
  globe: "网络",
  lock: "门锁",
  eye: "监控",
  shield: "安防",
  car: "停车",
  building: "楼内设施",
  sun: "采光",
  tools: "其他",
});
export type FacilityIcon = keyof typeof FACILITY_ICONS;

export const NAME_TAKEN = "同一分组下名称已存在";
export const CODE_TAKEN = "同一分组下编码已存在";
export const USED = "该字典项已被使用，只能停用";

/** How records of a table are counted, and the list that shows those with a word, by the key of its query. */
type Shown = { unit: string; list?: { path: string; key: string; more?: Readonly<Record<string, string>> } };

const HOUSES = "/configuration/ApartmentManage";
const flats = (key: string): Shown => ({ unit: "套", list: { path: HOUSES, key, more: { stock: "all" } } });
const rooms = (key: string): Shown => ({
  unit: "间",
  list: { path: HOUSES, key, more: { view: "room", stock: "all" } },
});

/** By dictionary and group, then by the table that holds the word. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  "house.layoutTag": { apartment: flats("layoutTag") },
  "house.source": { apartment: flats("source") },
  "house.orientation": { apartment: flats("orientation"), room: rooms("orientation") },
  "house.decoration": { apartment: flats("decoration") },
  "house.roomTag": { room: rooms("tag") },
  "house.holdReason": { room: rooms("holdReason") },
  "house.blockNote": { room_block: { unit: "次" } },
  "house.buildingKind": { building: { ...flats("buildingKind"), unit: "栋" } },
  "house.areaKind": {
    public_area: { unit: "处", list: { path: "/configuration/addPublicArea", key: "kind" } },
  },
  "facility.room": { room: rooms("facility"), product: { unit: "个产品" } },
  "customer.source": {
    renter: { unit: "位", list: { path: "/configuration/RenterManage", key: "source" } },
    lead: { unit: "条", list: { path: "/configuration/BookingManagement", key: "source" } },
  },
  "customer.tag": { push_task: { unit: "条推送" } },
  "customer.industry": { company: { unit: "家" } },
  "customer.scale": { company: { unit: "家" } },
  "customer.business": { merchant: { unit: "家" } },
};

/** Where the records of a table are that hold a word of a group; just their unit where no list tells them apart. */
export const shownIn = (kind: DicKind, group: string, table: string): Shown =>
  SHOWN[`${kind}.${group}`]?.[table] ?? { unit: "处" };
