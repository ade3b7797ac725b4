import { expect, test } from "vitest";
import { contactLine, priceLine, roomLine, shareText, type Share } from "./share.rules.ts";

const room: Share = {
  storeName: "滨江店",
  address: "江南大道 100 号",
  kind: "whole",
  layout: "2室1厅1卫",
  area: "86.50",
  orientation: "南",
  listPrice: 300_000,
  unit: "month",
  freeFrom: "2026-12-01",
  consultantName: "赵思源",
  consultantPhone: "13800001111",
};

test("a card says store, layout, area, price, and whom to call", () => {
  expect(roomLine(room)).toBe("整租 · 2室1厅1卫 · 86.5 ㎡ · 南");
  expect(shareText(room)).toBe(
    [
      "滨江店",
      "整租 · 2室1厅1卫 · 86.5 ㎡ · 南",
      "租金 3,000.00 元/月，2026-12-01 起可入住",
      "地址：江南大道 100 号",
      "联系人：赵思源 13800001111",
    ].join("\n"),
  );
});

test("what is not known is left out; a shop has its price of a square metre and day", () => {
  expect(roomLine({ ...room, kind: "shop", layout: "", orientation: "" })).toBe("商铺 · 86.5 ㎡");
  expect(priceLine({ listPrice: 450, unit: "sqmDay" })).toBe("4.50 元/㎡·天");
  expect(priceLine({ listPrice: null, unit: null })).toBe("价格面议");
  expect(contactLine({ ...room, consultantPhone: "" })).toBe("赵思源");
});
