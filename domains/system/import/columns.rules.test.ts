import { expect, test } from "vitest";
import { valueOf } from "./import.rules.ts";

const column = { title: "列", key: "key" };
const words = { idCard: ["身份证", "grey"], passport: ["护照", "grey"] } as const;

test("a cell becomes what its field wants, or is told what it should be", () => {
  expect(valueOf(column, "近地铁")).toEqual({ value: "近地铁" });
  expect(valueOf({ ...column, words }, "护照")).toEqual({ value: "passport" });
  expect(valueOf({ ...column, words }, "军官证")).toEqual({ msg: "列应为：身份证、护照" });
  expect(valueOf({ ...column, day: true }, "2026年3月1日")).toEqual({ value: "2026-03-01" });
  expect(valueOf({ ...column, list: true }, "近地铁、可短租, 安静")).toEqual({
    value: ["近地铁", "可短租", "安静"],
  });
  expect(valueOf({ ...column, yuan: true }, "3,500.5")).toEqual({ value: 350_050 });
  expect(valueOf({ ...column, yuan: true }, "三千")).toEqual({ msg: "金额格式不正确，最多两位小数" });
  expect(valueOf({ ...column, whole: true }, "12")).toEqual({ value: 12 });
  expect(valueOf({ ...column, whole: true }, "1.5")).toEqual({ msg: "列应为整数" });
});
