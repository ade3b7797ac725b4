import { expect, test } from "vitest";
import { firmColumnOf, FIRM_COLUMNS } from "./columns.rules.ts";

test("a wrong field is named by the column it came from", () => {
  expect(firmColumnOf(["contacts", 0, "phone"])).toBe("contactPhone");
  expect(firmColumnOf(["contacts"])).toBe("contactName");
  expect(firmColumnOf(["ownerId"])).toBe("ownerName");
  expect(firmColumnOf(["creditCode"])).toBe("creditCode");
  expect(firmColumnOf([])).toBe("name");
});

test("each kind asks for what its form asks for", () => {
  const must = (kind: "company" | "merchant") => FIRM_COLUMNS[kind].filter((c) => c.must).map((c) => c.title);
  expect(must("company")).toEqual(["企业名称", "统一社会信用代码", "客户经理", "主联系人", "电话"]);
  expect(must("merchant")).toEqual(["商户名称", "主体", "业态", "主联系人", "电话"]);
});
