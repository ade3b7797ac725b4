import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { readWorkbook } from "../../../platform/server/sheets/workbook-reader.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { createApartments } from "../../listing/apartment/apartment.service.ts";
import { roomsOf } from "../../listing/room/divide.rules.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { aShop, type Shop } from "../contract/contract.sample.ts";
import {
  commitContractImport,
  contractImport,
  contractImportResult,
  contractImports,
  contractImportTemplate,
  undoContractImport,
} from "./import.contract.ts";
import { headOf } from "../../system/import/import.rules.ts";
import { COLUMNS } from "./columns.rules.ts";
import { aRow, aSheet, dryRun } from "./import.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const shop = await aShop(house);
const far = await aShop(house);
const clerk = await house.person({ permits: ["9.import"], villages: [shop.villageId] });
const stranger = await house.person({ permits: ["9.import"], villages: [far.villageId] });
const { pool } = house.database;
const ledger = async () => (await acting(house, (act) => checkLedger(act, "manual"))).breaks;

/** Flats 10001 … in a store's building, made in bulk. */
async function flats(count: number, { building }: Shop = shop): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => String(10_001 + i));
  const { villageId, buildingId, unitId, floorIds } = building;
  const at = { villageId, buildingId, unitId, floorId: floorIds.get(12)! };
  await acting(house, (act) =>
    createApartments(
      act,
      names.map((name) => {
        const flat = { name, rentMode: "whole" as const, wholeToo: false, grossArea: 60 };
        const rooms = roomsOf(
          flat,
          [{ name, area: 60, listPrice: 300_000 }],
          { firstDay: "2024-01-01" },
          { listPrice: 0 },
        );
        return { ...at, ...flat, bedrooms: 1, halls: 1, baths: 1, rooms };
      }),
    ),
  );
  return names;
}

test(
  "a village outside the scope is an unknown village, and its batches are not there",
  { timeout: 30_000 },
  async () => {
    const bytes = await aSheet([aRow()]);
    const own = await dryRun(house, clerk, bytes);
    expect(own.state).toBe("ready");
    const theirs = await dryRun(house, stranger, bytes);
    const { errors } = await house.did(contractImport, { as: stranger }, { params: { id: theirs.id } });
    expect(errors.map((e) => [e.header, e.msg])).toEqual([
      ["门店", "没有门店“滨江店”，或无权查看；相近的有：滨江店2、V2"],
    ]);
    for (const call of [contractImport, contractImportResult])
      expect((await house.ask(call, { as: stranger }, { params: { id: own.id } })).status).toBe(404);
    for (const call of [commitContractImport, undoContractImport])
      expect(
        (await house.ask(call, { as: stranger, key: "press-theirs" }, { body: { id: own.id } })).status,
      ).toBe(404);
    expect((await house.did(contractImports, { as: stranger }, { query: {} })).total).toBe(1);
    expect((await dryRun(house, clerk, bytes, "2026-11-21")).message).toBe("接管日不能晚于今天");
  },
);

test(
  "1,000 contracts of three stores come in by a job, tell their numbers, each to its own store, and can be taken back",
  { timeout: 300_000 },
  async () => {
    const stores = [
      { store: shop, named: "滨江店", count: 500 },
      { store: far, named: "滨江店2", count: 300 },
      { store: await aShop(house), named: "滨江店3", count: 200 },
    ];
    const villages = stores.map(({ store }) => store.villageId);
    const clerk = await house.person({ permits: ["9.import", "9.query"], villages });
    const places: { village: string; room: string }[] = [];
    for (const { store, named, count } of stores)
      places.push(...(await flats(count, store)).map((room) => ({ village: named, room })));
    const rows = places.map((place, i) =>
      aRow({
        ...place,
        name: `租客${"甲乙丙丁戊己庚辛壬癸"[i % 10]}`,
        phone: String(13_700_000_000 + i),
        pay: i % 2 ? "押一付三" : "押二付一",
        deposit: i % 2 ? 3000 : 6000,
        start: i % 3 ? "2026-05-15" : "2026/8/1",
        end: i % 3 ? "2027-05-14" : "2027年7月31日",
        paidTo: i % 5 ? "2026-11-30" : "2026-10-14",
      }),
    );
    const { id, state } = await dryRun(house, clerk, await aSheet(rows));
    expect(state).toBe("ready");
    const asked = () => house.did(contractImport, { as: clerk }, { params: { id } });
    expect((await asked()).totals!.sum).toMatchObject({
      contracts: 1000,
      deposit: 450_000_000,
      agreed: 450_000_000,
      arrears: 50_000_000,
      prepaid: 25_000_000,
      newTenants: 1000,
    });
    const key = "press-once";
    const begun = await house.did(commitContractImport, { as: clerk, key }, { body: { id } });
    expect(begun.state).toBe("importing");
    await house.deliver();
    expect(await asked()).toMatchObject({ state: "done", progress: 100 });
    const { rows: counted } = await pool.query(
      `select count(*)::int n, (select count(*)::int from occupancy_row o join contract c on c.id = o.contract_id where c.import_id = $1) leases
     from contract where import_id = $1`,
      [id],
    );
    expect(counted).toEqual([{ n: 1000, leases: 1000 }]);
    expect(await ledger()).toEqual([]);
    // whoever works in one store sees its contracts alone, sums included; all stores together make the whole
    const parts = [];
    for (const { store, count } of stores) {
      const { list, total, sums } = await house.did(listContracts, { as: store.clerk }, { query: {} });
      expect(new Set(list.map((c) => c.villageId))).toEqual(new Set([store.villageId]));
      expect([total, sums]).toMatchObject([
        count,
        { rooms: count, currentRent: count * 300_000, depositHeld: count * 450_000 },
      ]);
      parts.push(sums!.overdue!);
    }
    const whole = await house.did(listContracts, { as: clerk }, { query: {} });
    expect([whole.total, whole.sums!.overdue]).toEqual([1000, parts.reduce((a, b) => a + b, 0)]);

    const file = await house.ask(contractImportResult, { as: clerk }, { params: { id } });
    const lines = await Array.fromAsync((await readWorkbook(file.raw))![0]!.rows());
    expect(lines[0]!.cells.get(COLUMNS.length + 1)!.text).toBe("合同号");
    expect(lines[1000]!.cells.get(COLUMNS.length + 1)!.text).toMatch(/^HT20261120-\d{6}$/);

    expect(
      (await house.did(undoContractImport, { as: clerk, key: "press-back" }, { body: { id } })).contracts,
    ).toBe(1000);
    expect(await ledger()).toEqual([]);
    const { rows: left } = await pool.query(
      "select coalesce(sum(debit - credit), 0)::int fen from journal_line where account in ('1122', '2241', '2203', '3999') group by account",
    );
    expect(left.every((l) => l.fen === 0)).toBe(true);
  },
);

test("the template is understood as it is given out", async () => {
  const { raw } = await house.ask(contractImportTemplate, { as: clerk }, {});
  const sheets = (await readWorkbook(raw))!;
  expect(sheets.map((s) => s.name)).toEqual(["在租合同", "字典", "说明"]);
  const [head] = await Array.fromAsync(sheets[0]!.rows());
  expect([...head!.cells.values()].map((c) => c.text)).toEqual(COLUMNS.map(headOf));
  const sent = await dryRun(house, clerk, raw);
  const { errors } = await house.did(contractImport, { as: clerk }, { params: { id: sent.id } });
  expect(errors.map((e) => [e.row, e.msg])).toEqual([[2, "文件中没有数据"]]);
});
