import { isValidElement } from "react";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { call } from "../../kernel/call.ts";
import * as field from "../../kernel/field.ts";
import { pageQuery, pageReply } from "../../kernel/paging.ts";
import { type Column, chosen, columns, sameColumns } from "./columns.tsx";

const STATUS = { unpaid: ["待支付", "gold"], paid: ["已付", "green"] } as const;
const row = z.object({
  id: field.id,
  no: field.text("账单号"),
  amount: field.money("应收金额", { help: "含税" }).nullable(),
  status: field.status("状态", STATUS),
  dueDay: field.day("应收日").optional(),
});
type Bill = z.output<typeof row>;
const list = call({
  method: "GET",
  path: "/bill",
  summary: "账单列表",
  needs: "login",
  query: pageQuery("dueDay"),
  reply: pageReply(row),
});
const bill: Bill = { id: 1, no: "ZD1", amount: -5, status: "paid" };

const ready = columns<Bill>(list, [
  "no",
  { key: "amount", strong: true },
  "status",
  "dueDay",
  { own: "room", title: "房间", show: () => "2-1106", hidden: true },
]);

test("a column that brings its own figure is known from a field of the row", () =>
  expect(ready.filter((c) => c.own).map((c) => c.key)).toEqual(["room"]));

test("a file has each field that a column tells of", () => {
  const [period, room] = columns<Bill>(list, [
    { key: "no", holds: ["dueDay"], show: ({ no, dueDay }) => `${no} ~ ${dueDay}` },
    { own: "room", title: "房间", holds: ["status", "amount"], show: () => "2-1106" },
  ]);
  expect([period?.fields, room?.fields, ready[0]?.fields]).toEqual(["no,dueDay", "room,status,amount", "no"]);
});

test("labels, kinds and sides come from the contract, through optional and nullable", () => {
  expect(ready.map((c) => [c.meta.title, c.meta.kind, c.right])).toEqual([
    ["账单号", "text", false],
    ["应收金额", "money", true],
    ["状态", "status", false],
    ["应收日", "day", false],
    ["房间", "text", false],
  ]);
  expect(ready[1]?.meta.help).toBe("含税");
});

test("columns for wide windows stand where there is room, or where somebody chose them", () => {
  const made = (width: number | undefined) => {
    vi.stubGlobal("innerWidth", width);
    return columns<Bill>(list, [{ key: "dueDay", wide: true }, "no"]).map((c) => c.hidden);
  };
  expect([1280, 1400].map(made)).toEqual([
    [true, false],
    [false, false],
  ]);
  vi.unstubAllGlobals();
});

test("only what the server sorts by can be sorted", () => {
  expect(ready.filter((c) => c.sorted).map((c) => c.key)).toEqual(["dueDay"]);
  expect(columns<Bill>(list, [{ key: "dueDay", unsorted: true }])[0]?.sorted).toBe(false);
});

test("values show by their kind", () => {
  expect(ready[0]?.show(bill)).toBe("ZD1");
  expect(isValidElement(ready[2]?.show(bill))).toBe(true);
  expect(ready[4]?.show(bill)).toBe("2-1106");
});

test("columns are the same while only what a page draws in them is new", () => {
  const made = (of: readonly Column<Bill>[]) => columns<Bill>(list, of) as never;
  const own = (more: object = {}) => ({ own: "room", title: "房间", show: () => "2-1106", ...more });
  const before = made(["no", { key: "amount", to: () => "/one" }, own()]);
  expect(sameColumns(before, made(["no", { key: "amount", to: () => "/other" }, own()]))).toBe(true);
  for (const other of [
    ["no", { key: "amount" }, own()],
    ["no", { key: "amount", to: () => "/one", strong: true }, own()],
    ["no", { key: "amount", to: () => "/one" }, own({ title: "房号" })],
    ["no", { key: "amount", to: () => "/one" }],
    ["no", own(), { key: "amount", to: () => "/one" }],
  ] as readonly (readonly Column<Bill>[])[])
    expect(sameColumns(before, made(other))).toBe(false);
});

test("a person's choice orders and hides, new columns keep their place, gone ones fall out", () => {
  const choice = [
    { key: "no", on: true },
    { key: "gone", on: true },
    { key: "dueDay", on: true },
    { key: "amount", on: false },
  ];
  expect(chosen(ready, choice).map(({ column, on }) => [column.key, on])).toEqual([
    ["no", true],
    ["dueDay", true],
    ["status", true],
    ["amount", false],
    ["room", false],
  ]);
  expect(
    chosen(ready, undefined)
      .filter((c) => c.on)
      .map((c) => c.column.key),
  ).toEqual(["no", "amount", "status", "dueDay"]);
});
