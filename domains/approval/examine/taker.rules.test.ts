import { expect, test } from "vitest";
import { takerOptions } from "./taker.rules.ts";

const people = [
  { id: 1, realName: "陈嘉禾", account: "chen2026" },
  { id: 2, realName: "陈嘉禾", account: "jiahe01" },
  { id: 3, realName: "罗佳宁", account: "luo2026" },
];

test("a namesake of the submitter can be handed an approval, and is told apart by the account", () => {
  expect(takerOptions(people, { not: [1] })).toEqual([
    { value: 2, label: "陈嘉禾（jiahe01）" },
    { value: 3, label: "罗佳宁" },
  ]);
  expect(takerOptions(people, { not: [] }).map(({ label }) => label)).toEqual([
    "陈嘉禾（chen2026）",
    "陈嘉禾（jiahe01）",
    "罗佳宁",
  ]);
});
