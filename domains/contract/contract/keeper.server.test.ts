import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { zipped } from "../../../platform/server/sheets/unzip.ts";
import { buildingOptions } from "../../finance/bill-list/bill.contract.ts";
import { downloadFile, listDownloads } from "../../system/download/download.contract.ts";
import { changeKeeper, listContracts, packPapers } from "./contract.contract.ts";
import { aForm, aRoom, aShop, signed, submitted } from "./contract.sample.ts";
import { contractLog } from "./detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const other = await aShop(house);
const { clerk } = shop;
const both = await house.person({
  permits: ["9.query", "9.get", "9.edit"],
  villages: [shop.villageId, other.villageId],
});
const room = (name: string) => aRoom(house, shop.building, name);
const mine = await signed(house, clerk, aForm(shop), "2026-03-12");
const held = await submitted(house, clerk, aForm({ ...shop, roomId: await room("L2") }));
const draft = await house.did(
  createContract,
  { as: clerk },
  { body: aForm({ ...shop, roomId: await room("L3") }) },
);
const theirs = await signed(house, other.clerk, aForm(other), "2026-03-12");
await house.database.pool.query("update contract set state = 'voided' where id = $1", [held.id]);
const list = async (query: object, as = clerk) =>
  (await house.did(listContracts, { as }, { query: query as never })).list.map((c) => c.id);

test("a keeper is changed for each contract by itself, and what stood in the way of one is said of it", async () => {
  const ids = [mine.id, held.id, draft.id, theirs.id];
  const body = { ids, managerId: clerk.operatorId };
  const done = await house.did(changeKeeper, { as: both }, { body });
  expect(done.changed).toBe(2);
  const said = new Map(done.rows.map((row) => [row.id, row.refusal]));
  expect(said.get(mine.id)).toBeNull();
  expect(said.get(draft.id)).toBeNull();
  expect(said.get(held.id)).toBe("作废的合同不能换管家");
  expect(said.get(theirs.id)).toMatch(/不在.*任职$/);
  const [first] = await house.did(contractLog, { as: clerk }, { params: { id: mine.id } });
  expect(first).toMatchObject({ action: "换管家", summary: expect.stringMatching(/^管家 未指定 → /) });
  const again = await house.did(changeKeeper, { as: clerk }, { body: { ...body, ids: [mine.id] } });
  expect(again).toMatchObject({ changed: 0, rows: [{ refusal: expect.stringContaining("管家已经是") }] });
  const stranger = await house.ask(changeKeeper, { as: other.clerk }, { body: { ...body, ids: [mine.id] } });
  expect(stranger.status).toBe(404);
  const nobody = await house.ask(
    changeKeeper,
    { as: clerk },
    { body: { ids: [mine.id], managerId: 999_999 } },
  );
  expect(nobody.body.fields).toEqual([{ field: "managerId", msg: "该员工不存在或已停用" }]);
});

test("the list is narrowed by keeper, building, way of signing and by who owes", async () => {
  expect(await list({ managerId: clerk.operatorId })).toEqual([draft.id, mine.id]);
  const [building] = await house.did(buildingOptions, { as: clerk }, { query: {} });
  expect(await list({ buildingId: building!.id })).toEqual([draft.id, held.id, mine.id]);
  expect(await list({ signMode: "electronic" })).toEqual([]);
  expect(await list({ signMode: "offline", ids: `${mine.id},${draft.id}` })).toEqual([draft.id, mine.id]);
  house.setClock("2026-03-16T10:00:00+08:00");
  expect(await list({ owing: "true" })).toEqual([mine.id]);
  expect(await list({ owing: "false" })).toEqual([draft.id, held.id]);
  house.setClock("2026-03-12T10:00:00+08:00");
});

test("the papers of the picked contracts come in one file, through the download centre", async () => {
  const answer = await house.app.inject({
    method: "GET",
    url: packPapers.path,
    headers: { authorization: both.token },
    query: { ids: [mine.id, theirs.id, draft.id].join(",") },
  });
  const { data } = answer.json() as { data: { id: number; state: string } };
  expect(data.state).toBe("queued");
  await house.deliver();
  const { list: tasks } = await house.did(listDownloads, { as: both }, { query: {} });
  expect(tasks[0]).toMatchObject({
    id: data.id,
    state: "ready",
    name: expect.stringMatching(/^合同文件_.*\.zip$/),
  });
  const file = await house.ask(downloadFile, { as: both }, { params: { id: data.id } });
  const names = zipped(file.raw)!.map((entry) => entry.name);
  // the draft has nothing that anybody signed
  expect(names).toEqual([`${mine.contractNo}_张三_合同.pdf`, `${theirs.contractNo}_张三_合同.pdf`]);
  const stranger = await house.ask(downloadFile, { as: clerk }, { params: { id: data.id } });
  expect(stranger.status).toBe(404);
});
