import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { aRoom } from "../contract/contract.sample.ts";
import { voidContract } from "../signing/signing.contract.ts";
import { undoContractImport } from "./import.contract.ts";
import { anImporter, type Importer, aRow, aSheet, dryRun } from "./import.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let { shop, clerk, commit, batchOf, brought, ledger, balances } = {} as Importer;
beforeAll(async () => {
  ({ shop, clerk, commit, batchOf, brought, ledger, balances } = await anImporter(house));
});
const undo = (id: number) =>
  house.ask(undoContractImport, { as: clerk, key: randomUUID() }, { body: { id } });

test("a batch is taken back to nothing held, and its rooms are free; once paid it stays", async () => {
  for (const name of ["1501", "1502"]) await aRoom(house, shop.building, name);
  const before = await balances();
  // paid to the end of October: the November period is due and issued at once
  const lines = [
    aRow({ room: "1501", name: "苏瑾", phone: "13922222221", paidTo: "2026-10-14" }),
    aRow({
      room: "1502",
      name: "蒋南星",
      phone: "13922222222",
      start: "2026-12-01",
      end: "2027-11-30",
      paidTo: "",
      arrears: "",
    }),
  ];
  const bytes = await aSheet(lines);
  const { id } = await dryRun(house, clerk, bytes);
  expect((await batchOf(id)).totals!.sum).toMatchObject({
    contracts: 2,
    arrears: 50_000,
    // two periods of 1501, and the first of 1502, which is due on signing
    dueNow: 900_000,
    newTenants: 2,
  });
  await commit(id);
  const [, future] = await brought(id);
  const refused = await house.ask(
    voidContract,
    { as: clerk, key: randomUUID() },
    { params: { id: future!.id }, body: { reason: "签错了", version: 1 } },
  );
  expect(refused.body.message).toContain("已收 3,000.00 元");
  expect((await undo(id)).body.data).toMatchObject({ contracts: 2 });
  expect(await balances()).toEqual(before);
  expect(await ledger()).toEqual([]);
  expect((await brought(id)).map((c) => [c.state, c.voidReason])).toEqual([
    ["voided", expect.stringMatching(/^撤销导入 QC/)],
    ["voided", expect.stringMatching(/^撤销导入 QC/)],
  ]);
  expect((await undo(id)).body.message).toBe("只有已导入的批次可以撤销");

  const again = await dryRun(house, clerk, bytes);
  // who was registered is found by phone and name
  expect((await batchOf(again.id)).totals!.sum).toMatchObject({ contracts: 2, newTenants: 0 });
  await commit(again.id);
  const [paid] = await brought(again.id);
  expect(paid!.partyId).toBe((await brought(id))[0]!.partyId);
  const store = { villageId: shop.villageId, roomId: shop.roomId };
  const { rows } = await pool.query<{ id: number }>(
    "select id from bill where contract_id = $1 and source = 'opening'",
    [paid!.id],
  );
  await take(house, store, await someAccounts(house, store), paid!.partyId, {
    amount: 10_000,
    channel: "cash",
    paidAt: "2026-11-20T09:00:00+08:00",
    bills: [rows[0]!.id],
  });
  expect((await undo(again.id)).body.message).toBe(`1 份合同不能撤销：${paid!.contractNo} 苏瑾已收款`);
  expect(await ledger()).toEqual([]);
});
