import { expect, test } from "vitest";
import { brand as city } from "../../../brands/brand05.ts";
import { brand as housing } from "../../../brands/brand08.ts";
import { brand as standard } from "../../../brands/default.ts";
import { readBrand } from "../../kernel/texts/brand.ts";
import { helpAddress } from "./brand.ts";

test("the manual comes with the product, one brand hides it, another has its own", () => {
  expect(helpAddress(standard)).toBe("/sams/manual.pdf");
  expect(helpAddress(readBrand(city))).toBeUndefined();
  expect(helpAddress(readBrand(housing))).toBe("https://help.brand08.example/manual.pdf");
});
