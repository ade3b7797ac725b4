import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRoom, aShop } from "../../contract/contract/contract.sample.ts";
import { createContract } from "../../contract/drafting/draft.contract.ts";
import { previewContract } from "../../contract/preview/preview.contract.ts";
import { submitContract } from "../../contract/signing/signing.contract.ts";
import { submitChange } from "./change.contract.ts";
import { aPlan, drafted } from "./price-change.sample.ts";

const house = await testHouse({ poolSize: 12 });
house.setClock("2026-03-12T10:00:00+08:00");
const { pool } = house.database;
const shop = await aShop(house);
const as = shop.clerk;
const head = await house.person({
  permits: ["6.query", "6.get", "6.add", "6.edit", "#601"],
  villages: [shop.villageId],
});
const planOf = (roomId: number) =>
  aPlan([shop.villageId], { roomIds: [roomId], applyTo: "both", value: 8, effectiveDay: "2026-03-12" });

async function draftOf(roomId: number) {
  const { id } = await house.did(createContract, { as }, { body: aForm({ ...shop, roomId }) });
  const { previewHash } = await house.did(previewContract, { as }, { body: { id } });
  return { id, previewHash };
}
const signing = ({ id, previewHash }: Awaited<ReturnType<typeof draftOf>>) =>
  house.ask(submitContract, { as, key: randomUUID() }, { params: { id }, body: { previewHash } });
const takenAt = async (contractId: number) => {
  const { rows } = await pool.query<{ list: number; lowest: number }>(
    "select list_price::int list, lowest_price::int lowest from contract_room where contract_id = $1",
    [contractId],
  );
  return [rows[0]!.list, rows[0]!.lowest];
};

test("a signing that waits for the price change of its room sees the new price, and asks again", async () => {
  const draft = await draftOf(shop.roomId);
  const change = await drafted(house, head, planOf(shop.roomId));
  // the price change has the room and is just about to commit
  const client = await pool.connect();
  await client.query("begin");
  await client.query("select 1 from room where id = $1 for no key update", [shop.roomId]);
  const { rows: mine } = await client.query("select pg_backend_pid() pid");
  const answer = signing(draft);
  await expect
    .poll(
      async () =>
        (
          await pool.query("select from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))", [
            mine[0].pid,
          ])
        ).rowCount,
      { timeout: 20_000 },
    )
    .toBe(1);
  await client.query(
    "insert into room_price (room_id, effective_day, list_price, lowest_price, source) values ($1, '2026-03-12', 324000, 324000, 'batch')",
    [shop.roomId],
  );
  await client.query("commit");
  client.release();
  const { status, body } = await answer;
  expect([status, body.reason]).toEqual([409, "previewChanged"]);
  // looked at anew, it is signed at what stands now
  const { previewHash } = await house.did(previewContract, { as }, { body: { id: draft.id } });
  expect((await signing({ id: draft.id, previewHash })).status).toBe(200);
  expect(await takenAt(draft.id)).toEqual([324_000, 324_000]);
  // and the price change that was agreed to before looks at its prices once more too
  const late = await house.ask(
    submitChange,
    { as: head },
    { params: { id: change.id }, body: { version: change.version } },
  );
  expect([late.status, late.body.message]).toEqual([409, "房价已变化，请重新预览"]);
});

test("both at once, room after room: a contract has the price of before or of after, never a mixture", async () => {
  for (let i = 0; i < 8; i++) {
    const roomId = await aRoom(house, shop.building, `R${i}`);
    const draft = await draftOf(roomId);
    const change = await drafted(house, head, planOf(roomId));
    const [signed, priced] = await Promise.all([
      signing(draft),
      house.ask(submitChange, { as: head }, { params: { id: change.id }, body: { version: change.version } }),
    ]);
    // prices change whether a room is let or not
    expect(priced.status).toBe(200);
    if (signed.status === 200) expect(await takenAt(draft.id)).toEqual([300_000, 300_000]);
    else expect([signed.status, signed.body.reason]).toEqual([409, "previewChanged"]);
    const { rows } = await pool.query(
      "select list_price::int list from room_price where room_id = $1 order by effective_day desc limit 1",
      [roomId],
    );
    expect(rows[0].list).toBe(324_000);
  }
});
