import { expect, test } from "vitest";
import { COLUMNS, valueOf, type Field } from "./columns.rules.ts";

const column = (key: Field) => COLUMNS.find((c) => c.key === key)!;
const read = (key: Field, text: string) => {
  const got = valueOf(column(key), text);
  return "msg" in got ? got.msg : got.value;
};

test("days as people and spreadsheets write them, of this century", () => {
  for (const text of ["2026-03-01", "2026/3/1", "2026.3.1", "2026年3月1日", "2026-03-01 08:00:00", "46082"])
    expect(read("dueDate", text), text).toBe("2026-03-01");
  expect(read("to", "2026-02-30")).toBe("计费期止格式不正确，应如 2026-03-01");
  expect(read("from", "1999-12-31")).toBe("计费期起须在2000年至2099年之间");
  expect(read("from", "2100-01-01")).toBe("计费期起须在2000年至2099年之间");
  expect([read("from", "2000-01-01"), read("from", "2099-12-31")]).toEqual(["2000-01-01", "2099-12-31"]);
});

test("amounts from one fen to the largest", () => {
  expect(read("amount", "¥1,234.50")).toBe(123_450);
  expect(read("amount", "0.01")).toBe(1);
  expect(read("amount", "12.5000")).toBe(1250);
  expect(read("amount", "99999999.99")).toBe(9_999_999_999);
  expect(read("amount", "100000000")).toBe("金额过大");
  for (const none of ["0", "-5"]) expect(read("amount", none)).toBe("金额必须大于0");
  for (const wrong of ["1.234", "一百", "1e5"])
    expect(read("amount", wrong)).toBe("请输入正确的金额（最多两位小数）");
});

test("texts: what must be there, and how long it may be", () => {
  expect(read("party", "")).toBe("请填写客户");
  expect(read("remark", "")).toBe("");
  expect(read("remark", "字".repeat(200))).toHaveLength(200);
  expect(read("remark", "字".repeat(201))).toBe("备注最多200字");
  expect(read("party", "字".repeat(100))).toHaveLength(100);
  expect(read("party", "字".repeat(101))).toBe("客户最多100字");
});
