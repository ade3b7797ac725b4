import fc from "fast-check";
import { expect, test } from "vitest";
import { mappingOf, spreadOver } from "./posting.rules.ts";
import { gbk } from "../../../platform/kernel/texts/gbk.ts";
import { type FileLine, kingdeeTable, ledgerText, yonyouText } from "./layout.rules.ts";

test("1,000.00 over 7, 7 and 6 rooms: 350.00, 350.00, 300.00", () => {
  expect(spreadOver(100_000, [7, 7, 6])).toEqual([35_000, 35_000, 30_000]);
  expect(spreadOver(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(spreadOver(100, [0, 0])).toEqual([0, 0]);
});

test("shares add up to the amount, and none is a fen from its exact part", () => {
  const weights = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), weights, (amount, list) => {
      const whole = list.reduce((sum, w) => sum + w, 0);
      fc.pre(whole > 0);
      const shares = spreadOver(amount, list);
      expect(shares.reduce((sum, fen) => sum + fen, 0)).toBe(amount);
      shares.forEach((fen, i) => expect(Math.abs(fen - (amount * list[i]!) / whole)).toBeLessThan(1.001));
    }),
  );
});

test("of the mappings that fit, the one that says most; a receiving account before a fee subject before a store", () => {
  const row = (glCode: string, more: object = {}) => ({
    account: "6001",
    feeSubjectId: null,
    merchantAccountId: null,
    villageId: null,
    glCode,
    auxiliary: "",
    ...more,
  });
  const line = { account: "6001", feeSubjectId: 1, merchantAccountId: null, villageId: 5 };
  const all = [row("a"), row("store", { villageId: 5 }), row("subject", { feeSubjectId: 1 })];
  expect(mappingOf(all, line)?.glCode).toBe("subject");
  expect(mappingOf([...all, row("both", { feeSubjectId: 1, villageId: 5 })], line)?.glCode).toBe("both");
  expect(mappingOf(all, { ...line, feeSubjectId: 2 })?.glCode).toBe("store");
  expect(mappingOf(all, { ...line, feeSubjectId: 2, villageId: 6 })?.glCode).toBe("a");
  expect(mappingOf(all, { ...line, account: "6052" })).toBeUndefined();
});

const line: FileLine = {
  batchNo: "GZ20260402-000001",
  voucherNo: 1,
  kind: "收入确认",
  date: "2026-03-31",
  memo: "2026-03 收入确认",
  seq: 1,
  account: "2204",
  accountName: "递延收入",
  glCode: "2401",
  villageName: "滨江店, 一期",
  subjectName: "",
  merchantName: "",
  auxiliary: "",
  debit: 779_032,
  credit: 0,
  maker: "李会计",
};
const other = {
  ...line,
  seq: 2,
  account: "6001",
  accountName: "业务收入",
  glCode: "6001",
  debit: 0,
  credit: 779_032,
};

test("the layouts that general ledgers take in", () => {
  expect(yonyouText([line, other]).split("\r\n")).toEqual([
    "填制凭证,V800",
    "2026-03-31,记,1,0,2026-03 收入确认 滨江店  一期,2401,7790.32,0.00,,,,李会计",
    "2026-03-31,记,1,0,2026-03 收入确认 滨江店  一期,6001,0.00,7790.32,,,,李会计",
    "",
  ]);
  const { head, rows } = kingdeeTable([line, other]);
  expect([head.length, rows[0]!.length]).toEqual([36, 36]);
  expect(rows[1]!.slice(0, 12)).toEqual([
    "2026-03-31",
    2026,
    3,
    "记",
    1,
    "6001",
    "业务收入",
    "RMB",
    "人民币",
    7790.32,
    0,
    7790.32,
  ]);
  expect(ledgerText([line, other])).toContain(
    "    负债:2204 递延收入:滨江店, 一期  CNY 7790.32\n    收入:6001 业务收入",
  );
});

test("a text in GBK reads as it was", () => {
  expect(new TextDecoder("gbk").decode(gbk("填制凭证,V800 收入确认 ￥"))).toBe("填制凭证,V800 收入确认 ￥");
});
