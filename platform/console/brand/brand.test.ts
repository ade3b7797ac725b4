import { expect, test } from "vitest";
import { brand as city } from "../../../brands/brand05.ts";
import { brand as housing } from "../../../brands/brand08.ts";
import { brand as standard } from "../../../brands/default.ts";
import { readBrand } from "../../kernel/texts/brand.ts";
import { helpAddress } from "./brand.ts";

test("the manual comes with the product, one brand hides it, another has its own", () => {
  const at = "/report/FinancePage";
  expect(helpAddress(standard, at)).toBe("/sams/manual.pdf#nameddest=/report/FinancePage");
  expect(helpAddress(readBrand(city), at)).toBeUndefined();
  expect(helpAddress(readBrand(housing), at)).toBe("https://help.brand08.example/manual.pdf");
});
