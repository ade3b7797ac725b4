import { expect, test } from "vitest";
import { agreedText } from "./link.rules.ts";

test("who agrees reads what he gets or pays, to the fen, and of nothing that it is nothing", () => {
  expect(agreedText(1)).toBe("您已确认结算单，应退还 0.01 元");
  expect(agreedText(-431_276)).toBe("您已确认结算单，应补付 4,312.76 元");
  expect(agreedText(0)).toBe("您已确认结算单，双方互不相欠");
});
