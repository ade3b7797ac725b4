import { type Words, plainWords } from "../../../platform/kernel/field.ts";

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

export const ACTS = plainWords({
  check: "测试连接",
  publish: "发布",
  update: "更新",
  withdraw: "下架",
  fetchLeads: "拉取咨询",
  enquiry: "咨询",
});
export type SendAct = "publish" | "update" | "withdraw";

export const RESULTS = { true: ["成功", "green"], false: ["失败", "red"] } as const satisfies Words;

export const SHOW_PRICES = plainWords({ exact: "显示标价", from: "显示起价", none: "不显示" });
export type ShowPrice = keyof typeof SHOW_PRICES;

export const PHONES = plainWords({ village: "门店电话", manager: "店长电话" });

export const HOLDS = { held: ["暂不发布", "orange"], free: ["正常", "green"] } as const satisfies Words;

/** What of a room may be called otherwise outside. */
export const MAPPED = plainWords({ village: "门店", layout: "户型", orientation: "朝向", facility: "设施" });
export type MappedKind = keyof typeof MAPPED;
export type Mapping = Partial<Record<MappedKind, Record<string, string>>>;

/** Minutes after which a failed send is tried again; after the last only by hand. */
export const RETRY_MINUTES = [1, 5, 30, 120, 360] as const;

export const ADAPTERS = plainWords({ feed: "数据源地址", httpPush: "HTTP 推送" });
export type AdapterName = keyof typeof ADAPTERS;

/** One setting of an adapter: the server judges by it, the form is drawn from it. */
export type Setting = { key: string; title: string; help?: string } & (
  | { kind: "url"; must: boolean }
  | { kind: "number"; min: number; max: number; start: number; unit: string }
  | { kind: "flag"; start: boolean }
);
export type Config = Record<string, string | number | boolean>;

export const SETTINGS: Record<AdapterName, readonly Setting[]> = {
  feed: [
    {
      key: "pageSize",
      title: "每页条数",
      kind: "number",
      min: 10,
      max: 500,
      start: 100,
      unit: "条",
      help: "对方没有指定时每页返回的房源数",
    },
  ],
  httpPush: [
    { key: "url", title: "推送地址", kind: "url", must: true, help: "房源上架、变更、下架时向该地址发送" },
    { key: "leadsUrl", title: "咨询地址", kind: "url", must: false, help: "填写后每分钟取回一次咨询" },
    { key: "timeoutSeconds", title: "超时", kind: "number", min: 1, max: 30, start: 10, unit: "秒" },
    { key: "mapped", title: "必须映射", kind: "flag", start: false, help: "开启后，有未映射项的房源不发布" },
  ],
};

/** What a new channel of the adapter begins with. */
export const startOf = (adapter: AdapterName): Config =>
  Object.fromEntries(SETTINGS[adapter].flatMap((s) => ("start" in s ? [[s.key, s.start]] : [])));

function wrong(setting: Setting, value: unknown): string | undefined {
  switch (setting.kind) {
    case "url": {
      if (value === undefined || value === "") return setting.must ? `请输入${setting.title}` : undefined;
      const url = typeof value === "string" && value.length <= 500 ? URL.parse(value) : null;
      const fits = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
      return fits ? undefined : `${setting.title}须为 http 或 https 地址`;
    }
    case "number": {
      const { min, max } = setting;
      const fits = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
      return fits ? undefined : `请输入${min}到${max}之间的整数`;
    }
    case "flag":
      return typeof value === "boolean" ? undefined : `请选择${setting.title}`;
  }
}

/** What is wrong with the settings of a channel, each under its field. */
export const configErrors = (adapter: AdapterName, config: Config): { field: string; msg: string }[] =>
  SETTINGS[adapter].flatMap((setting) => {
    const msg = wrong(setting, config[setting.key]);
    return msg ? [{ field: `config.${setting.key}`, msg }] : [];
  });

/** Only what the adapter knows is kept. */
export const configOf = (adapter: AdapterName, config: Config): Config =>
  Object.fromEntries(
    SETTINGS[adapter].flatMap(({ key }) =>
      config[key] === undefined || config[key] === "" ? [] : [[key, config[key]]],
    ),
  );
