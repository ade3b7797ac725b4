import { expect, test } from "vitest";
import { configErrors, configOf, startOf } from "./adapter.rules.ts";
import { xmlOf } from "./feed.server.ts";
import {
  actOn,
  documentOf,
  judge,
  nextState,
  retryMinutes,
  titleOf,
  type Facts,
  type Leaf,
  type Rule,
} from "./listing.rules.ts";

const TODAY = "2026-11-20";
const leaf = (more: Partial<Leaf> = {}): Leaf => ({
  name: "A",
  occupancy: "vacant",
  condition: "rentable",
  until: null,
  nextFrom: null,
  ...more,
});
const room = (more: Partial<Facts> = {}): Facts => ({
  roomId: 7,
  villageId: 3,
  fullName: "滨江店·3栋·1单元·1203",
  kind: "whole",
  productId: null,
  village: { name: "滨江店", address: "滨江区江南大道588号", open: true, lng: 120.2, lat: 30.2 },
  floor: "12F",
  bedrooms: 2,
  halls: 1,
  baths: 1,
  area: "89.50",
  orientation: "南",
  facilities: ["空调", "洗衣机"],
  description: "近地铁",
  pictures: [1, 2, 3],
  price: 328_800,
  unit: "month",
  payPlans: [{ depositMonths: 1, payMonths: 3, adjustPercent: 0, default: true }],
  contact: { name: "滨江店", phone: "0571-88886666" },
  hold: "",
  leaves: [leaf()],
  own: { title: null, description: null, pictures: null },
  ...more,
});
const rule = (more: Partial<Rule> = {}): Rule => ({
  leadDays: 0,
  kinds: [],
  productIds: [],
  minPictures: 3,
  showPrice: "exact",
  mapped: false,
  mapping: {},
  ...more,
});
const misses = (facts: Facts, r = rule()) => judge(facts, r, TODAY).misses;

test("each miss is a sentence", () => {
  expect(misses(room())).toEqual([]);
  expect(misses(room({ pictures: [1] }))).toEqual(["缺少图片（至少 3 张）"]);
  expect(misses(room({ hold: "业主自住" }))).toEqual(["暂不发布：业主自住"]);
  const { village } = room();
  expect(misses(room({ village: { ...village, open: false, lng: null } }))).toEqual([
    "门店未营业",
    "门店没有地图坐标",
  ]);
  expect(misses(room({ price: null }))).toEqual(["没有标价"]);
  expect(misses(room({ leaves: [leaf({ condition: "dirty" })] }))).toEqual(["待保洁，暂不能出租"]);
  expect(misses(room({ leaves: [leaf({ occupancy: "reserved" })] }))).toEqual(["已预订，未空置"]);
  expect(misses(room(), rule({ kinds: ["bed"] }))).toEqual(["不在渠道的发布范围"]);
  expect(misses(room(), rule({ mapped: true, mapping: { village: { 3: "HZ01" } } }))).toEqual([
    "未映射 4 项：2室1厅1卫、南、空调",
  ]);
  // a whole flat is free when all of its rooms are
  const two = [leaf(), leaf({ name: "B", occupancy: "occupied", until: "2027-01-31" })];
  expect(misses(room({ leaves: two }))).toEqual(["B 在租至 2027-01-31，超过可提前发布的 0 天"]);
});

test("a room that will be free soon is shown ahead, with its day", () => {
  const soon = room({ leaves: [leaf({ occupancy: "expiring", until: "2026-12-10" })] });
  expect(misses(soon, rule({ leadDays: 20 }))).toEqual(["即将到期至 2026-12-10，超过可提前发布的 20 天"]);
  expect(judge(soon, rule({ leadDays: 21 }), TODAY)).toEqual({ misses: [], availableDay: "2026-12-11" });
  const taken = room({
    leaves: [leaf({ occupancy: "expiring", until: "2026-12-10", nextFrom: "2026-12-11" })],
  });
  expect(misses(taken, rule({ leadDays: 60 }))).toEqual(["即将到期，未空置"]);
});

test("the document tells neither the door nor the lowest price, and calls things by their names outside", () => {
  const shown = documentOf(
    room(),
    rule({ mapping: { village: { 3: "HZ01" }, facility: { 空调: "ac" }, layout: { "2室1厅1卫": "2-1-1" } } }),
    TODAY,
    TODAY,
  );
  expect(shown).toMatchObject({
    id: 7,
    title: "滨江店 2室1厅1卫 89.5㎡ 南向",
    village: "HZ01",
    layout: "2-1-1",
    facilities: ["ac", "洗衣机"],
    price: { amount: 328_800, unit: "month", from: false },
    floor: "12F",
  });
  expect(shown.availableDay).toBeNull();
  expect(documentOf(room(), rule(), "2026-12-11", TODAY).availableDay).toBe("2026-12-11");
  expect(JSON.stringify(shown)).not.toContain("1203");
  expect(documentOf(room(), rule({ showPrice: "from" }), TODAY, TODAY).price).toEqual({
    amount: 320_000,
    unit: "month",
    from: true,
  });
  expect(documentOf(room(), rule({ showPrice: "none" }), TODAY, TODAY).price).toBeNull();
  const own = room({ own: { title: "河景两居拎包入住", description: "自写", pictures: [9] } });
  expect(documentOf(own, rule(), TODAY, TODAY)).toMatchObject({
    title: "河景两居拎包入住",
    description: "自写",
    pictures: [9],
  });
  expect(titleOf(room({ orientation: "" }))).toBe("滨江店 2室1厅1卫 89.5㎡");
});

test("where a listing goes when its room was looked at", () => {
  const at = (state: string, more: object = {}) =>
    ({ state, failedAct: null, sentHash: null, contentHash: "a", ...more }) as Parameters<
      typeof nextState
    >[0];
  const to = (...args: Parameters<typeof nextState>) => nextState(...args).state;
  expect(to(at("pending"), true, "a")).toBe("queued");
  expect(to(at("online", { sentHash: "a" }), true, "a")).toBe("online");
  expect(to(at("online", { sentHash: "a" }), true, "b")).toBe("queued");
  expect(to(at("online", { sentHash: "a" }), false, "a")).toBe("withdrawing");
  // nobody outside has heard of it yet
  expect(to(at("queued"), false, "a")).toBe("pending");
  expect(to(at("queued", { sentHash: "a" }), false, "a")).toBe("withdrawing");
  expect(to(at("failed", { failedAct: "publish" }), true, "a")).toBe("failed");
  expect(to(at("failed", { failedAct: "publish" }), true, "b")).toBe("queued");
  expect(to(at("failed", { failedAct: "update", sentHash: "a" }), false, "b")).toBe("withdrawing");
  expect(to(at("withdrawing", { sentHash: "a" }), true, "a")).toBe("queued");
  expect(to(at("offline"), true, "a")).toBe("queued");
  expect([
    actOn(at("queued")),
    actOn(at("queued", { sentHash: "a" })),
    actOn(at("withdrawing")),
    actOn(at("online")),
  ]).toEqual(["publish", "update", "withdraw", undefined]);
});

test("tried again after 1, 5, 30, 120 and 360 minutes, then by hand only", () => {
  expect([1, 2, 3, 4, 5, 6].map(retryMinutes)).toEqual([1, 5, 30, 120, 360, undefined]);
});

test("an adapter judges its settings, and keeps only its own", () => {
  expect(configErrors("feed", { pageSize: 501 })).toEqual([
    { field: "config.pageSize", msg: "请输入10到500之间的整数" },
  ]);
  const push = startOf("httpPush");
  expect(configErrors("httpPush", push)).toEqual([{ field: "config.url", msg: "请输入推送地址" }]);
  for (const url of ["ftp://a.example/x", "https://u:p@a.example/", "a.example"])
    expect(configErrors("httpPush", { ...push, url })[0]?.msg).toBe("推送地址须为 http 或 https 地址");
  expect(configOf("httpPush", { ...push, url: "https://a.example/x", leadsUrl: "", other: 1 })).toEqual({
    url: "https://a.example/x",
    timeoutSeconds: 10,
    mapped: false,
  });
});

test("XML says the same as JSON and carries whatever is written", () => {
  expect(xmlOf("feed", { a: '<b>&\u0001"', list: [1, null], none: null })).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed><a>&lt;b&gt;&amp;&quot;</a><list><item>1</item><item/></list><none/></feed>\n',
  );
});
