import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRoom, aScan, aShop, submitted } from "../contract/contract.sample.ts";
import { createContract, saveContract } from "../drafting/draft.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract, submitContract } from "./signing.contract.ts";

const house = await testHouse({ poolSize: 24 });
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const as = shop.clerk;

async function draftOf(roomId: number) {
  const { id, contractNo } = await house.did(createContract, { as }, { body: aForm({ ...shop, roomId }) });
  const { previewHash } = await house.did(previewContract, { as }, { body: { id } });
  return { id, contractNo, previewHash };
}

test("200 clerks sign the same room at once: one contract, 199 refusals that name it", async () => {
  const drafts = await Promise.all(Array.from({ length: 200 }, () => draftOf(shop.roomId)));
  const answers = await Promise.all(
    drafts.map(({ id, previewHash }) =>
      house.ask(submitContract, { as, key: randomUUID() }, { params: { id }, body: { previewHash } }),
    ),
  );
  const won = drafts.filter((_, i) => answers[i]!.status === 200);
  expect(won).toHaveLength(1);
  const refused = answers.filter((a) => a.status !== 200);
  expect(refused).toHaveLength(199);
  for (const { status, body } of refused) {
    expect(status).toBe(409);
    expect(body.reason).toBe("roomTaken");
    expect(body.message).toMatch(/ 在 2026-03-15 至 2027-03-14 已被 /);
    expect(body.message).toContain(won[0]!.contractNo);
  }
  const { db } = house.database;
  const held = await db.selectFrom("occupancyRow").selectAll().where("roomId", "=", shop.roomId).execute();
  expect(held.map((h) => [h.contractId, h.kind])).toEqual([[won[0]!.id, "reservation"]]);
  const states = await db
    .selectFrom("contract")
    .select(["state", (eb) => eb.fn.countAll<number>().as("n")])
    .groupBy("state")
    .orderBy("state")
    .execute();
  expect(states).toEqual([
    { state: "draft", n: 199 },
    { state: "signing", n: 1 },
  ]);
  // two browsers confirm its signature, each with the paper that was scanned there: one lease
  const [{ id, previewHash }] = won as [(typeof won)[0]];
  const sign = async () => {
    const body = { fileIds: [await aScan(house, as)], signedOn: "2026-03-12", previewHash };
    return house.ask(signOfflineContract, { as, key: randomUUID() }, { params: { id }, body });
  };
  const signed = await Promise.all([sign(), sign()]);
  expect(signed.map((a) => a.status).toSorted()).toEqual([200, 409]);
  const rows = await db.selectFrom("occupancyRow").selectAll().where("roomId", "=", shop.roomId).execute();
  expect(rows.map((r) => [r.contractId, r.kind])).toEqual([[id, "lease"]]);
  expect(await db.selectFrom("bill").select("id").where("contractId", "=", id).execute()).toHaveLength(5);
}, 60_000);

describe("the same key", () => {
  test("sent five times at once hands in and signs one contract, with one set of bills", async () => {
    const roomId = await aRoom(house, shop.building, "K1");
    const { id, previewHash } = await draftOf(roomId);
    const key = randomUUID();
    const send = () => house.ask(submitContract, { as, key }, { params: { id }, body: { previewHash } });
    const answers = await Promise.all([send(), send(), send(), send(), send()]);
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map((a) => JSON.stringify(a.body.data))).size).toBe(1);

    const fileIds = [await aScan(house, as)];
    const signKey = randomUUID();
    const body = { fileIds, signedOn: "2026-03-12", previewHash };
    const sign = () => house.ask(signOfflineContract, { as, key: signKey }, { params: { id }, body });
    const signed = await Promise.all([sign(), sign(), sign()]);
    expect(signed.map((a) => a.body.data?.bills)).toEqual([5, 5, 5]);
    const bills = await house.database.db
      .selectFrom("bill")
      .select("id")
      .where("contractId", "=", id)
      .execute();
    expect(bills).toHaveLength(5);
  });

  test("on another contract is refused, and without a key nothing moves", async () => {
    const one = await draftOf(await aRoom(house, shop.building, "K2"));
    const two = await draftOf(await aRoom(house, shop.building, "K3"));
    const key = randomUUID();
    await house.did(
      submitContract,
      { as, key },
      { params: { id: one.id }, body: { previewHash: one.previewHash } },
    );
    const reused = await house.ask(
      submitContract,
      { as, key },
      { params: { id: two.id }, body: { previewHash: two.previewHash } },
    );
    expect(reused).toMatchObject({ status: 422, body: { reason: "keyReused" } });
    const bare = await house.ask(
      submitContract,
      { as },
      { params: { id: two.id }, body: { previewHash: two.previewHash } },
    );
    expect(bare).toMatchObject({ status: 400, body: { reason: "keyMissing" } });
  });
});

describe("a preview that is no longer true", () => {
  test("is refused with the new one, and the new one can be confirmed", async () => {
    const roomId = await aRoom(house, shop.building, "P1");
    const { id, previewHash } = await draftOf(roomId);
    const changed = { ...aForm({ ...shop, roomId }, { rent: 360_000 }), version: 1 };
    await house.did(saveContract, { as }, { params: { id }, body: changed });
    const send = (hash: string) =>
      house.ask(submitContract, { as, key: randomUUID() }, { params: { id }, body: { previewHash: hash } });
    const old = await send(previewHash);
    expect(old).toMatchObject({
      status: 409,
      body: { reason: "previewChanged", message: "账单试算已变化，请核对后重新确认" },
    });
    const fresh = old.body.data as unknown as { previewHash: string; totals: { atSigning: number } };
    expect(fresh.totals.atSigning).toBe(360_000 * 4);
    const { rows } = await house.database.pool.query("select from occupancy_row where contract_id = $1", [
      id,
    ]);
    expect(rows).toHaveLength(0);
    expect((await send(fresh.previewHash)).status).toBe(200);
  });

  test("stands in the way of a signature too; the same one is good the next morning", async () => {
    const roomId = await aRoom(house, shop.building, "P2");
    const held = await submitted(house, as, aForm({ ...shop, roomId }));
    house.setClock("2026-03-13T09:00:00+08:00");
    const { previewHash } = await house.did(previewContract, { as }, { body: { id: held.id } });
    expect(previewHash).toBe(held.preview.previewHash);
    const fileIds = [await aScan(house, as)];
    const body = { fileIds, signedOn: "2026-03-12", previewHash: "0".repeat(64) };
    const params = { id: held.id };
    const wrong = await house.ask(signOfflineContract, { as, key: randomUUID() }, { params, body });
    expect(wrong).toMatchObject({ status: 409, body: { reason: "previewChanged", data: { previewHash } } });
    const right = await house.ask(
      signOfflineContract,
      { as, key: randomUUID() },
      { params, body: { ...body, previewHash } },
    );
    expect(right.status).toBe(200);
    house.setClock("2026-03-12T10:00:00+08:00");
  });
});

test("a draft open in two tabs: the second save is refused and changes nothing", async () => {
  const roomId = await aRoom(house, shop.building, "T1");
  const { id } = await house.did(createContract, { as }, { body: aForm({ ...shop, roomId }) });
  const body = { ...aForm({ ...shop, roomId }), version: 1 };
  await house.did(saveContract, { as }, { params: { id }, body });
  const second = await house.ask(
    saveContract,
    { as },
    { params: { id }, body: { ...body, cycleMonths: 12 } },
  );
  expect(second).toMatchObject({ status: 409, body: { message: "数据已被他人修改，请刷新后重试" } });
});
