import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine, submitExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { settlementActs } from "./settlement.contract.ts";
import { aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const { shop, as, pool, accounts, lease, asked, draft, preview, row, signedOff, confirm, sound } =
  await aSettler(house);
const villageIds = [shop.villageId];
const admin = await house.person({ superType: "1", name: "许承锦" });
const manager = await house.person({ villages: villageIds, permits: ["72.query"], name: "陈嘉禾" });

/** The manager decides what waits of a settlement; answers what was before him. */
async function decide(recordId: number, decision: "approve" | "reject" = "approve") {
  const { rows } = await pool.query<{ id: number }>(
    "select id::int from examine where target_kind = 'settlement' and target_id = $1 and state = 'approving'",
    [recordId],
  );
  const params = { id: rows[0]!.id };
  const seen = await house.did(getExamine, { as: manager }, { params });
  await house.did(
    decideExamine,
    { as: manager },
    { params, body: { decision, version: seen.version, comment: "按约定处理" } as never },
  );
  return seen;
}

/** Hands a settlement in as it stands. */
async function handIn(id: number) {
  const { previewHash } = await preview(id);
  const { version } = await row(id);
  return house.did(settlementActs.submit, { as }, { params: { id }, body: { version, previewHash } });
}

test("what was approved is what is booked: where a payment came in meanwhile it is handed in and approved anew", async () => {
  await aModule(house, admin, {
    moduleType: "settlement",
    name: "退房审批",
    villageIds,
    fallback: admin,
    processes: [otherwise(asking("店长", [manager]))],
  });
  const contract = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const { id } = await asked(contract.id);
  expect(await handIn(id)).toMatchObject({ state: "approving" });
  await decide(id);
  const ready = { ...(await signedOff(id)), previewHash: (await preview(id)).previewHash };

  await take(house, shop as never, accounts, contract.partyId, {
    amount: 100,
    paidAt: "2026-08-05T09:00:00+08:00",
    channel: "cash",
  });
  expect(await confirm(ready)).toMatchObject({ status: 409, body: { reason: "previewChanged" } });
  const now = await preview(id);
  expect(now.net).toBe(431_376);
  expect(now.sheetHash).not.toBe((await row(id)).sheetHash);
  const unapproved = await confirm({ ...ready, previewHash: now.previewHash });
  expect(unapproved).toMatchObject({
    status: 409,
    body: { reason: "resubmit", message: "结算结果与提交时不一致，请重新提交" },
  });

  expect(await handIn(id)).toMatchObject({ state: "approving" });
  // the tenant agreed to the other number
  expect(await row(id)).toMatchObject({ agreed: false, net: 431_376, sheetHash: now.sheetHash });
  expect(JSON.stringify(await decide(id))).toContain("4,313.76 元");
  const again = await signedOff(id);
  expect(await confirm({ ...again, previewHash: now.previewHash })).toMatchObject({ status: 200 });
  expect(await row(id)).toMatchObject({ state: "toPay", net: 431_376 });
  expect(await sound()).toEqual([]);
});

test("what was rejected is worked on at once, and is handed in anew on its own page, never from the old approval", async () => {
  const contract = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const { id } = await asked(contract.id);
  expect(await handIn(id)).toMatchObject({ state: "approving" });
  const { id: examineId } = await decide(id, "reject");
  expect(await row(id)).toMatchObject({ state: "settling", frozen: false });
  const { version } = await house.did(getExamine, { as }, { params: { id: examineId } });
  const again = await house.ask(
    submitExamine,
    { as, key: randomUUID() },
    { params: { id: examineId }, body: { version } },
  );
  expect([again.status, again.body.message]).toEqual([
    409,
    expect.stringContaining("已退回处理，请在申请中修改后重新提交"),
  ]);
  // handed in again it waits, frozen, and is approved as ever
  expect(await handIn(id)).toMatchObject({ state: "approving" });
  const edit = { ...draft(), version: (await row(id)).version };
  expect((await house.ask(settlementActs.edit, { as }, { params: { id }, body: edit })).status).toBe(409);
  await decide(id);
  expect(await row(id)).toMatchObject({ state: "confirming" });
});

test("a waived penalty, and money to be paid back, are asked about by themselves", async () => {
  const house = await testHouse();
  const at = await aSettler(house);
  const boss = await house.person({ superType: "1", name: "许承锦" });
  const judge = await house.person({ villages: [at.shop.villageId], permits: ["72.query"], name: "陈嘉禾" });
  await aModule(house, boss, {
    moduleType: "settlement",
    name: "退房审批",
    villageIds: [at.shop.villageId],
    fallback: boss,
    processes: [
      {
        name: "减免",
        conditions: [{ field: "waived", op: "gt", value: 0 }],
        nodes: [asking("店长", [judge])],
      },
      {
        name: "大额退款",
        conditions: [{ field: "refund", op: "gte", value: 300_000 }],
        nodes: [asking("财务", [judge])],
      },
      otherwise(),
    ],
  });
  const handIn = async (quarters: number, draft: Parameters<typeof at.asked>[1] = {}) => {
    const contract = await at.lease({}, quarters);
    house.setClock("2026-08-05T10:00:00+08:00");
    const { id } = await at.asked(contract.id, draft);
    const { previewHash, net } = await at.preview(id);
    const { version } = await at.row(id);
    const body = { version, previewHash };
    const { state } = await house.did(settlementActs.submit, { as: at.as }, { params: { id }, body });
    const { rows } = await at.pool.query<{ fact: string }>(
      "select key_facts::text fact from examine where target_kind = 'settlement' and target_id = $1",
      [id],
    );
    return { state, owed: net < 0, facts: rows[0]?.fact ?? "" };
  };
  const given = await handIn(2, { penalty: 0, penaltyReason: "老租客" });
  expect(given).toMatchObject({ state: "approving" });
  expect(given.facts).toContain("违约金减免");
  expect(await handIn(2)).toMatchObject({ state: "approving", owed: false });
  // the same sum to be received asks nobody
  expect(await handIn(0)).toMatchObject({ state: "confirming", owed: true });
});
