import { expect, test } from "vitest";
import { contractPage, signings } from "./renting.rules.ts";

test("a shop is signed for with a merchant, every other room with a tenant or a company, each by its own right and page", () => {
  const offered = (kind: string) => signings(kind).map((of) => [of.label, of.need, contractPage(of.kind)]);
  expect(offered("shop")).toEqual([["新签合同", "107.add", "/contract/merchantContractTable"]]);
  for (const kind of ["whole", "room", "bed", "parking"])
    expect(offered(kind)).toEqual([
      ["新签合同", "9.add", "/contract/RenterContractPage"],
      ["新签企业合同", "11.add", "/contract/CompanyContractPage"],
    ]);
});
