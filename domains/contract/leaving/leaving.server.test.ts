import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { expireEnded } from "../signing/clock.service.ts";
import { listSettlements } from "../settlement/settlement.contract.ts";
import { PERMITS, aSettler } from "../settlement/settlement.sample.ts";
import { randomUUID } from "node:crypto";
import {
  askMany,
  assignHandler,
  confirmMany,
  leavable,
  leavingBatch,
  leavingBatches,
  listExpired,
  previewMany,
} from "./leaving.contract.ts";

const house = await testHouse();
const { shop, as, lease, asked, row, submitted, sound } = await aSettler(house);

test("contracts that ran out are shown until somebody settles them", async () => {
  const contract = await lease({ end: "2026-06-14" });
  const other = await lease();
  house.setClock("2026-06-20T10:00:00+08:00");
  await acting(house, (act) => expireEnded(act));
  const list = async (who = as) => (await house.did(listExpired, { as: who }, { query: {} as never })).list;
  expect(await list()).toMatchObject([
    {
      id: contract.id,
      contractNo: contract.contractNo,
      daysOver: 6,
      depositHeld: 350_000,
      partyName: "张三",
    },
  ]);
  expect((await list()).map((c) => c.id)).not.toContain(other.id);
  // by the phone, whole or its last four digits
  const { phone } = (
    await house.database.pool.query("select phone from party where id = $1", [contract.partyId])
  ).rows[0];
  const by = async (keyword: string) =>
    (await house.did(listExpired, { as }, { query: { keyword } as never })).list.map((c) => c.id);
  expect([await by(phone), await by(phone.slice(-4)), await by("13900009999")]).toEqual([
    [contract.id],
    [contract.id],
    [],
  ]);
  const stranger = await house.person({ permits: PERMITS, villages: [] });
  expect(await list(stranger)).toEqual([]);
  const { id } = await asked(contract.id, {
    effectiveOn: "2026-06-20",
    endReason: "normal",
    noticeOn: undefined,
  });
  expect(await list()).toEqual([]);
  // from now on it is found among the leavings, by its reason too
  const because = async (endReason: "normal" | "breachLessor") =>
    (await house.did(listSettlements, { as }, { query: { endReason } })).list.map((act) => act.id);
  expect([await because("normal"), await because("breachLessor")]).toEqual([[id], []]);
});

/** What became of a batch, once the job went through. */
async function worked(id: number) {
  await house.deliver();
  return house.did(leavingBatch, { as }, { params: { id } });
}

test("a batch of somebody who has left meanwhile goes no further, and says so with each contract", async () => {
  const contract = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const leaver = await house.person({ name: "林远", permits: PERMITS, villages: [shop.villageId] });
  const leaving = {
    effectiveOn: "2026-08-05",
    endReason: "breachLessor" as const,
    noticeOn: "2026-07-05",
    reason: "门店停业",
  };
  const { id } = await house.did(
    askMany,
    { as: leaver },
    { body: { contractIds: [contract.id], ...leaving } },
  );
  const { pool } = house.database;
  await pool.query("update operator set state = 'disabled' where id = $1", [leaver.operatorId]);
  await house.deliver();
  await pool.query("update operator set state = 'active' where id = $1", [leaver.operatorId]);
  const { rows, state } = await house.did(leavingBatch, { as: leaver }, { params: { id } });
  expect([state, rows.map((r) => [r.state, r.said])]).toEqual([
    "done",
    [["refused", "发起人 林远 的账号已停用，没有继续办理，请由在职人员重新发起"]],
  ]);
});

test("a store that closes: each contract is asked for and settled by itself, and each refusal is told", async () => {
  const leases = [await lease(), await lease(), await lease()];
  house.setClock("2026-08-05T10:00:00+08:00");
  const { list } = await house.did(leavable, { as }, { query: { villageId: shop.villageId } as never });
  const ids = leases.map((l) => l.id);
  expect(list.map((c) => c.id)).toEqual(expect.arrayContaining(ids));
  await asked(ids[1]!);
  const leaving = {
    effectiveOn: "2026-08-05",
    endReason: "breachLessor" as const,
    noticeOn: "2026-07-05",
    reason: "门店停业",
  };
  const batch = await house.did(askMany, { as }, { body: { contractIds: ids, ...leaving } });
  const done = await worked(batch.id);
  expect(done).toMatchObject({ state: "done", percent: 100 });
  expect(done.rows.map((r) => [r.contractNo, r.state])).toEqual([
    [leases[0]!.contractNo, "done"],
    [leases[1]!.contractNo, "refused"],
    [leases[2]!.contractNo, "done"],
  ]);
  expect(done.rows[1]!.said).toContain("该合同有进行中的续租、换房、转租、退房或变更");
  // a job that is run again does nothing twice
  await house.database.pool.query(
    "update leaving_batch set state = 'running', ended_at = null where id = $1",
    [batch.id],
  );
  expect((await worked(batch.id)).rows).toEqual(done.rows);
  const other = await house.person({ permits: PERMITS, villages: [shop.villageId] });
  expect((await house.ask(leavingBatch, { as: other }, { params: { id: batch.id } })).status).toBe(404);

  const [first, third] = [done.rows[0]!.actId!, done.rows[2]!.actId!];
  await submitted(first);
  // a sheet that came after: what it found is charged nobody, and whoever confirms is told
  await house.database.pool.query(
    `insert into handover_sheet (contract_id, room_id, kind, done_on, items, operator_id)
     select c.id, r.room_id, 'out', '2026-08-05', $2, $3 from contract c join contract_room r on r.contract_id = c.id where c.id = $1`,
    [
      ids[0],
      JSON.stringify([
        { name: "书桌", quantity: 1, condition: "damaged", price: 30_000, reason: "", fileIds: [] },
      ]),
      as.operatorId,
    ],
  );
  const seen = await house.did(previewMany, { as }, { body: { ids: [first, third] } });
  expect(seen.map((p) => [p.id, p.why])).toEqual([
    [first, ""],
    [third, "当前状态为“验房中”，不能确认结算"],
  ]);
  expect(seen.map((p) => p.warnings)).toEqual([
    "验房单有 1 项扣款没有列入结算：书桌损坏，300.00 元；需要扣的请在编辑结算中带入",
    "",
  ]);
  // no penalty: it is the lessor who ends it
  expect(seen[0]!.net).toBe(350_000 + 451_613 + 12_903);
  const rows = seen.map(({ id, version, previewHash }) => ({ id, version, previewHash }));
  const confirming = await house.did(confirmMany, { as, key: randomUUID() }, { body: { rows } });
  const settled = await worked(confirming.id);
  expect(settled.rows.map((r) => [r.state, r.said])).toEqual([
    ["done", ""],
    ["refused", "当前状态为“验房中”，不能确认结算"],
  ]);
  expect(await row(first)).toMatchObject({ state: "toPay", net: seen[0]!.net, steps: "●●●●●●○ 0天" });
  expect(await row(third)).toMatchObject({ state: "inspecting", steps: "●●○○○○○ 0天" });
  expect(await house.did(leavingBatches, { as })).toMatchObject([
    { id: confirming.id, kind: "confirm", state: "done", total: 2, done: 1, refused: 1 },
    { id: batch.id, kind: "ask", total: 3, done: 2, refused: 1 },
  ]);
  expect(await house.did(leavingBatches, { as: other })).toEqual([]);
  expect(await sound()).toEqual([]);

  const { changed } = await house.did(
    assignHandler,
    { as },
    { body: { ids: [first, third], handlerId: other.operatorId } },
  );
  expect(changed).toBe(2);
  expect((await row(third)).handlerName).toBe("周敏");
  const give = async (id: number, { operatorId: handlerId }: { operatorId: number }) => {
    const { status, body } = await house.ask(
      assignHandler,
      { as },
      { body: { ids: [third, id], handlerId } },
    );
    return [status, body.fields?.[0]?.msg ?? body.message];
  };
  const elsewhere = await house.person({ name: "林远", permits: PERMITS, villages: [] });
  expect(await give(first, elsewhere)).toEqual([400, expect.stringMatching(/^林远不在.*任职$/)]);
  await house.database.pool.query("update contract_act set state = 'done' where id = $1", [first]);
  expect(await give(first, other)).toEqual([409, expect.stringContaining("已完成，不能指派处理人")]);
  expect((await row(third)).handlerName).toBe("周敏");
  const stranger = await house.person({ permits: [...PERMITS, "#7202"], villages: [] });
  for (const refused of [
    await house.ask(assignHandler, { as: stranger }, { body: { ids: [first], handlerId: other.operatorId } }),
    await house.ask(askMany, { as: stranger }, { body: { contractIds: ids, ...leaving } }),
    await house.ask(previewMany, { as: stranger }, { body: { ids: [third] } }),
  ])
    expect(refused.status).toBe(404);
  house.setClock("2026-08-09T10:00:00+08:00");
  expect((await row(third)).steps).toBe("●●○○○○○ 4天");
});
