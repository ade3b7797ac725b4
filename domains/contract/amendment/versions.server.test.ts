import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRenter, aRoom, aShop, signed } from "../contract/contract.sample.ts";
import { termsVersions } from "../paper/paper.contract.ts";
import { amendActs } from "./amendment.contract.ts";
import { anAmender } from "./amendment.sample.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as } = at;
at.on("2026-03-12");
const roomId = await aRoom(house, shop.building, "V1");
const partyId = await aRenter(house, shop.villageId);
const { id } = await signed(house, as, aForm({ ...shop, roomId, partyId }), "2026-03-12");
const read = (query: { older?: number; newer?: number } = {}) =>
  house.did(termsVersions, { as }, { params: { id }, query });
type Rows = Awaited<ReturnType<typeof read>>["rows"];
const changed = (rows: Rows) =>
  rows.filter((r) => r.changed).map(({ section, older, newer }) => [section, older, newer]);

test("terms that never changed have no versions; two changes make three, any two side by side", async () => {
  expect(await read()).toEqual({ versions: [], older: null, newer: null, rows: [] });
  at.on("2026-07-20");
  await at.done(amendActs, id, {
    effectiveOn: "2026-08-01",
    reason: "协商降租",
    rises: [{ fromDate: "2026-08-01", rent: 330_000 }],
  });
  at.on("2026-07-21");
  const last = await at.done(amendActs, id, {
    effectiveOn: "2026-09-01",
    reason: "延长租期",
    noticeDays: 45,
    end: "2027-04-14",
  });

  const both = await read();
  expect(both.versions.map((v) => [v.version, v.effectiveFrom, v.endDate, v.actKind])).toEqual([
    [3, "2026-09-01", "2027-04-14", "amend"],
    [2, "2026-08-01", "2027-03-14", "amend"],
    [1, "2026-03-15", "2027-03-14", null],
  ]);
  expect([both.older, both.newer]).toEqual([2, 3]);
  expect(changed(both.rows)).toEqual([
    ["租期", "2026-03-15 至 2027-03-14", "2026-03-15 至 2027-04-14"],
    [
      "违约与退房",
      "任何一方提前解除合同，应提前 30 日书面通知对方。",
      "任何一方提前解除合同，应提前 45 日书面通知对方。",
    ],
  ]);
  const deposit = both.rows.find((r) => r.section === "押金")!;
  expect(deposit.older).toContain("3,500.00");
  expect(deposit.newer).toBe(deposit.older);

  const first = await read({ older: 1, newer: 2 });
  expect(changed(first.rows)).toEqual([
    ["租金", "", "自 2026-08-01 起，月租金调整为人民币 3,300.00 元（大写：叁仟叁佰元整）。"],
  ]);
  expect(changed((await read({ older: 3, newer: 3 })).rows)).toEqual([]);

  await at.undone(amendActs, last);
  expect((await read()).versions.map((v) => v.version)).toEqual([2, 1]);
});

test("who works elsewhere or may not open the contract sees no terms, and there is no version nobody agreed", async () => {
  const sent = { params: { id }, query: {} };
  const stranger = (await aShop(house)).clerk;
  expect((await house.ask(termsVersions, { as: stranger }, sent)).status).toBe(404);
  const other = await house.person({ permits: ["11.get"], villages: [shop.villageId] });
  expect((await house.ask(termsVersions, { as: other }, sent)).status).toBe(403);
  const none = { params: { id }, query: { older: 1, newer: 9 } };
  expect((await house.ask(termsVersions, { as }, none)).status).toBe(404);
});
