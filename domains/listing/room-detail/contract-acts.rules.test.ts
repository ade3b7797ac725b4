import { expect, test } from "vitest";
import type { Renting } from "../room/renting.rules.ts";
import { contractActs, tenantActs } from "./contract-acts.rules.ts";

const contract = (kind: Renting = "renter") => ({ id: 7, number: "HT20251201-000045", kind });
const told = (acts: ReturnType<typeof tenantActs>) =>
  acts.map(({ label, need, path, query }) => [
    label,
    need,
    `${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`,
  ]);

const RENEW = "/contract/RenewalApplicationPage?renewing=7";
const LEAVE = "/contract/SettleRoomApplicationPage?action=1&leaving=7";

test("a room somebody lives in offers staying, moving and leaving, each with its right, where the contract does it", () => {
  expect(told(tenantActs("occupied", contract()))).toEqual([
    ["续租", "73.add", RENEW],
    ["换房", "96.add", "/contract/ChangeRoomManage?kind=room&action=1&moving=7"],
    ["退房", "72.add", LEAVE],
  ]);
  expect(told(tenantActs("expiring", contract("merchant")))).toEqual([
    ["续租", "73.add", RENEW],
    ["退房", "72.add", LEAVE],
  ]);
  expect(told(tenantActs("holdingOver", contract()))).toEqual([
    ["退房结算", "72.add", LEAVE],
    ["补签续租", "73.add", RENEW],
  ]);
  expect(told(tenantActs("leaving", contract()))).toEqual([
    ["继续结算", "72.edit", "/contract/SettleRoomApplicationPage?keyword=HT20251201-000045"],
  ]);
});

test("none of them where nobody lives, and no moving for the rooms of a company", () => {
  expect(tenantActs("toMoveIn", contract())).toEqual([]);
  expect(tenantActs("reserved", contract())).toEqual([]);
  expect(tenantActs("occupied", contract("company")).map((a) => a.label)).toEqual(["续租", "退房"]);
});

test("a contract is seen, moved into and voided on the page of who rents, by its rights", () => {
  const needs = (kind: Renting) => {
    const { see, moveIn, void: voided } = contractActs(contract(kind));
    return [see.path, see.need, moveIn.need, voided.need];
  };
  expect(needs("renter")).toEqual(["/contract/RenterContractPage", "9.get", "9.edit", "#902"]);
  expect(needs("company")).toEqual(["/contract/CompanyContractPage", "11.get", "11.edit", "#1102"]);
  expect(needs("merchant")).toEqual(["/contract/merchantContractTable", "107.get", "107.edit", "#10702"]);
});
