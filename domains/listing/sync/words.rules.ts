import type { Words } from "../../../platform/kernel/field.ts";

export const LISTING_STATES = {
  pending: ["待发布", "grey"],
  queued: ["发布中", "blue"],
  online: ["已上架", "green"],
  withdrawing: ["下架中", "orange"],
  offline: ["已下架", "grey"],
  failed: ["失败", "red"],
} as const satisfies Words;
export type ListingState = keyof typeof LISTING_STATES;

export const CHANNEL_STATES = {
  enabled: ["启用", "green"],
  disabled: ["停用", "grey"],
} as const satisfies Words;

export const HEALTHS = {
  ok: ["正常", "green"],
  degraded: ["部分失败", "orange"],
  down: ["不可用", "red"],
} as const satisfies Words;

export const ACTS = {
  check: ["测试连接", "grey"],
  publish: ["发布", "grey"],
  update: ["更新", "grey"],
  withdraw: ["下架", "grey"],
  fetchLeads: ["拉取咨询", "grey"],
  enquiry: ["咨询", "grey"],
} as const satisfies Words;
export type SendAct = "publish" | "update" | "withdraw";

export const RESULTS = { true: ["成功", "green"], false: ["失败", "red"] } as const satisfies Words;

export const SHOW_PRICES = {
  exact: ["显示标价", "grey"],
  from: ["显示起价", "grey"],
  none: ["不显示", "grey"],
} as const satisfies Words;
export type ShowPrice = keyof typeof SHOW_PRICES;

export const PHONES = {
  village: ["门店电话", "grey"],
  manager: ["店长电话", "grey"],
} as const satisfies Words;

export const HOLDS = { held: ["暂不发布", "orange"], free: ["正常", "green"] } as const satisfies Words;

/** What of a room may be called otherwise outside. */
export const MAPPED = {
  village: ["门店", "grey"],
  layout: ["户型", "grey"],
  orientation: ["朝向", "grey"],
  facility: ["设施", "grey"],
} as const satisfies Words;
export type MappedKind = keyof typeof MAPPED;
export type Mapping = Partial<Record<MappedKind, Record<string, string>>>;

/** Minutes after which a failed send is tried again; after the last only by hand. */
export const RETRY_MINUTES = [1, 5, 30, 120, 360] as const;

export const ADAPTERS = {
  feed: ["数据源地址", "grey"],
  httpPush: ["HTTP 推送", "grey"],
} as const satisfies Words;
export type AdapterName = keyof typeof ADAPTERS;
