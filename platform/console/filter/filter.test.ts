import { expect, test } from "vitest";
import { chipsOf, queryOf, withUsual, type Filter } from "./filter.ts";

const filters: Filter[] = [
  { kind: "village", key: "villageIds" },
  {
    kind: "choice",
    key: "status",
    title: "状态",
    words: { a: ["待支付", "gold"], b: ["已付", "green"] },
    many: true,
  },
  { kind: "days", from: "dueFrom", to: "dueTo", title: "应收日" },
  { kind: "money", from: "min", to: "max", title: "未收" },
  { kind: "keyword", key: "keyword", title: "账单号、客户" },
];
const named = (_: Filter, ids: readonly string[]) => ids.map((id) => `店${id}`).join("、");
const chips = (search: string) =>
  chipsOf(filters, new URLSearchParams(search), named).map((c) => `${c.title}：${c.text}`);

test("what is set reads as people say it", () => {
  expect(chips("villageIds=3,8&status=a,b&dueFrom=2026-08-01&dueTo=2026-11-20&keyword=谢")).toEqual([
    "门店：店3、店8",
    "状态：待支付、已付",
    "应收日：2026-08-01 ~ 2026-11-20",
    "关键字：谢",
  ]);
  expect(chips("dueTo=2026-11-20&min=100")).toEqual(["应收日：至 2026-11-20", "未收：≥ 1.00"]);
  expect(chips("id=7&pageNo=2")).toEqual([]);
});

test("the call gets what it knows and what the page fixes, nothing else", () => {
  const known = new Set(["status", "pageNo"]);
  expect(queryOf(new URLSearchParams("status=a&id=7&part=log&pageNo="), known, { direction: "in" })).toEqual({
    status: "a",
    direction: "in",
  });
});

test("what a list shows by itself stands in its filter until somebody chooses, one end of a range being a choice", () => {
  const days: Filter[] = [
    { kind: "days", from: "from", to: "to", title: "时间", usual: ["2026-11-17", "2026-11-23"] },
    { kind: "day", key: "day", title: "截至日", usual: ["2026-11-23"] },
  ];
  const all = (search: string) => withUsual(days, new URLSearchParams(search)).toString();
  expect(all("keyword=a")).toBe("keyword=a&from=2026-11-17&to=2026-11-23&day=2026-11-23");
  expect(all("to=2026-01-31&day=2026-01-01")).toBe("to=2026-01-31&day=2026-01-01");
});
