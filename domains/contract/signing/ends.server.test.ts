import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { keepContractMoney } from "../../finance/balance/balance.service.ts";
import { aBill, bookBalance } from "../../finance/bill/bill.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRoom, aShop, LEASING, signed, submitted } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { createContract, deleteContract } from "../drafting/draft.contract.ts";
import clockJobs from "./clock.job.ts";
import { handOver, submitContract, voidContract, withdrawContract } from "./signing.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const as = shop.clerk;
const { db, pool } = house.database;
let rooms = 0;
const room = () => aRoom(house, shop.building, `X${++rooms}`);
const run = (name: string) =>
  perform(
    house,
    clockJobs.find((j) => j.name === name)!,
    {},
    randomUUID(),
  );
const contract = (id: number) => house.did(getContract, { as }, { params: { id } });
const timeline = async (id: number) =>
  (await pool.query("select kind from occupancy_row where contract_id = $1", [id])).rows.map((r) => r.kind);

/** As a receipt would leave the bills: paid in full, the sums of the contract kept. */
async function paid(contractId: number, which = "true") {
  const bills = `select id from bill where contract_id = ${contractId} and ${which}`;
  await pool.query(`update bill_line set settled = amount where bill_id in (${bills})`);
  await pool.query(`update bill set settled = amount where id in (${bills})`);
  await acting(house, (act) => keepContractMoney(act, [contractId]));
}

describe("voiding", () => {
  test("before any money: bills void, ledger even, room free, and it stays as it is", async () => {
    const before = await bookBalance(house, "1122", shop.villageId);
    const roomId = await room();
    const { id, version } = await signed(house, as, aForm({ ...shop, roomId }), "2026-03-12");
    expect(await bookBalance(house, "1122", shop.villageId)).toBe(before + 1_400_000);
    const body = { reason: "租客放弃入住", version };
    await house.did(voidContract, { as }, { params: { id }, body });
    expect(await contract(id)).toMatchObject({
      state: "voided",
      phase: "voided",
      voidReason: "租客放弃入住",
    });
    expect(await timeline(id)).toEqual([]);
    expect(await bookBalance(house, "1122", shop.villageId)).toBe(before);
    const bills = await db.selectFrom("bill").select("status").where("contractId", "=", id).execute();
    expect(new Set(bills.map((b) => b.status))).toEqual(new Set(["void"]));
    // the room can be let again, the contract cannot be voided twice
    await submitted(house, as, aForm({ ...shop, roomId }));
    const again = await house.ask(
      voidContract,
      { as, key: randomUUID() },
      { params: { id }, body: { ...body, version: version + 1 } },
    );
    expect(again).toMatchObject({ status: 409, body: { message: "当前状态为“作废”，不能作废" } });
  });

  test("counts what stands in its way", async () => {
    const { id, version } = await signed(house, as, aForm({ ...shop, roomId: await room() }), "2026-03-12");
    await paid(id, "due_date = '2026-03-12'");
    const body = { reason: "录入错误", version };
    const refused = await house.ask(voidContract, { as, key: randomUUID() }, { params: { id }, body });
    expect(refused).toMatchObject({
      status: 409,
      body: { reason: "notAllowed", message: "已收 14,000.00 元，不能作废，请办理退房" },
    });
    await house.did(handOver, { as }, { params: { id }, body: { handoverOn: "2026-03-12", version } });
    const both = await house.ask(
      voidContract,
      { as, key: randomUUID() },
      { params: { id }, body: { ...body, version: version + 1 } },
    );
    expect(both.body.message).toBe("已收 14,000.00 元、已办理入住，不能作废，请办理退房");
  });

  test("needs its own permit", async () => {
    const clerk = await house.person({
      permits: LEASING.filter((p) => p !== "#902"),
      villages: [shop.villageId],
    });
    const { id } = await submitted(house, as, aForm({ ...shop, roomId: await room() }));
    const refused = await house.ask(
      voidContract,
      { as: clerk, key: randomUUID() },
      { params: { id }, body: { reason: "录入错误", version: 2 } },
    );
    expect(refused.status).toBe(403);
  });
});

describe("a draft", () => {
  test("that was never handed in can be deleted; one that was can only be voided", async () => {
    const roomId = await room();
    const { id } = await house.did(createContract, { as }, { body: aForm({ ...shop, roomId }) });
    // a bill of before, when bills could hang on drafts, names it
    const { rows } = await pool.query<{ partyId: number }>(
      'select party_id "partyId" from contract where id = $1',
      [id],
    );
    const bill = await aBill(house, { ...shop, roomId } as never, rows[0]!.partyId);
    await pool.query("update bill set contract_id = $2 where id = $1", [bill, id]);
    const named = await house.ask(deleteContract, { as }, { params: { id } });
    expect([named.status, named.body.message]).toEqual([409, "该合同已有账单等业务记录，不能删除，请作废"]);
    await pool.query("update bill set contract_id = null where id = $1", [bill]);
    await pool.query("delete from contract_money where contract_id = $1", [id]);
    await house.did(deleteContract, { as }, { params: { id } });
    expect((await house.ask(getContract, { as }, { params: { id } })).status).toBe(404);

    const held = await submitted(house, as, aForm({ ...shop, roomId }));
    const params = { id: held.id };
    await house.did(withdrawContract, { as }, { params, body: { reason: "改租金" } });
    expect(await timeline(held.id)).toEqual([]);
    const refused = await house.ask(deleteContract, { as }, { params });
    expect(refused).toMatchObject({ status: 409, body: { message: "提交过的合同不能删除，请作废" } });
    const { version } = await contract(held.id);
    await house.did(voidContract, { as }, { params, body: { reason: "不租了", version } });
    expect((await contract(held.id)).phase).toBe("voided");
  });

  test("is made of what waits for signatures only by who handed it in or signs contracts", async () => {
    const keeps = async (permits: string[]) => house.person({ permits, villages: [shop.villageId] });
    const clerk = await keeps(LEASING.filter((p) => p !== "#901"));
    const { id } = await submitted(house, clerk, aForm({ ...shop, roomId: await room() }));
    const by = (who: typeof as) =>
      house.ask(
        withdrawContract,
        { as: who, key: randomUUID() },
        { params: { id }, body: { reason: "改租金" } },
      );
    const other = await keeps(LEASING.filter((p) => p !== "#901"));
    expect(await by(other)).toMatchObject({ status: 409, body: { message: "只有提交人可以撤回" } });
    expect((await house.did(getContract, { as: other }, { params: { id } })).facts.mayWithdraw).toBe(false);
    expect((await by(clerk)).status).toBe(200);
    const second = await submitted(house, clerk, aForm({ ...shop, roomId: await room() }));
    await house.did(withdrawContract, { as }, { params: { id: second.id }, body: { reason: "" } });
    expect((await contract(second.id)).state).toBe("draft");
  });

  test("cannot be signed, and a signed one cannot be handed in again", async () => {
    const { id, preview } = await signed(house, as, aForm({ ...shop, roomId: await room() }), "2026-03-12");
    const { previewHash } = preview;
    const refused = await house.ask(
      submitContract,
      { as, key: randomUUID() },
      { params: { id }, body: { previewHash } },
    );
    expect(refused).toMatchObject({ status: 409, body: { message: "当前状态为“已签署”，不能提交签约" } });
  });
});

describe("the clock", () => {
  test("lets go of a room whose contract nobody signed in time, and says so on the timeline", async () => {
    const { id } = await submitted(house, as, aForm({ ...shop, roomId: await room() }));
    await run("contract.deadline");
    expect((await contract(id)).state).toBe("signing");
    house.setClock("2026-03-19T10:00:01+08:00");
    await run("contract.deadline");
    await run("contract.deadline");
    expect((await contract(id)).state).toBe("draft");
    expect(await timeline(id)).toEqual([]);
    const notes = await db
      .selectFrom("businessLog")
      .select(["kind", "summary"])
      .where("action", "=", "签署过期")
      .where("number", "=", (await contract(id)).contractNo)
      .execute();
    expect(notes.map((n) => n.kind)).toEqual(["contract", "room"]);
    expect(notes[0]!.summary).toBe("签署期限 2026-03-19 10:00 已过，退回草稿，释放房间");
    const { rows: told } = await pool.query(
      "select title from message where biz_type = 'contract' and biz_id = $1",
      [id],
    );
    expect(told).toEqual([{ title: `${(await contract(id)).contractNo} 超过签署期限` }]);
    house.setClock("2026-03-12T10:00:00+08:00");
  });

  test("turns a lease that ran out into one held over; its room is not let before that is settled", async () => {
    const roomId = await room();
    const { id, contractNo } = await signed(
      house,
      as,
      aForm({ ...shop, roomId }, { months: 1 }),
      "2026-03-12",
    );
    const next = await submitted(house, as, aForm({ ...shop, roomId }, { start: "2026-05-01" }));
    house.setClock("2026-04-15T00:05:00+08:00");
    await run("contract.endOfDay");
    expect((await contract(id)).phase).toBe("expired");

    const later = await house.did(
      createContract,
      { as },
      { body: aForm({ ...shop, roomId }, { start: "2028-05-01" }) },
    );
    const refused = await house.ask(
      submitContract,
      { as, key: randomUUID() },
      { params: { id: later.id }, body: { previewHash: "0".repeat(64) } },
    );
    expect(refused).toMatchObject({ status: 409, body: { reason: "roomTaken" } });
    expect(refused.body.message).toMatch(
      new RegExp(`在 2026-03-15 至 2026-04-14 已被 ${contractNo} 占用（到期未退）$`),
    );

    // whoever signed earlier cannot move in either
    await pool.query(`update contract set state = 'effective', signed_on = '2026-04-15' where id = $1`, [
      next.id,
    ]);
    house.setClock("2026-05-01T09:00:00+08:00");
    const early = await house.ask(
      handOver,
      { as },
      { params: { id: next.id }, body: { handoverOn: "2026-05-01", version: 2 } },
    );
    expect(early).toMatchObject({ status: 409, body: { message: "原租客尚未退房" } });
    house.setClock("2026-03-12T10:00:00+08:00");
  });

  test("moves the rent that lists show at each step, and at each that a rule makes", async () => {
    const step = { mode: "amount", value: "10000" } as const;
    const steps = [{ ...step, fromDate: "2026-06-15", resultRent: 360_000, source: "rule" as const }];
    const stepRule = { ...step, every: 3, unit: "month" } as const;
    const ids: number[] = [];
    for (const rise of [{ steps }, { stepRule }])
      ids.push((await signed(house, as, aForm({ ...shop, roomId: await room() }, rise), "2026-03-12")).id);
    for (const [day, rent] of [
      ["2026-06-14", 350_000],
      ["2026-06-15", 360_000],
    ] as const) {
      house.setClock(`${day}T00:05:00+08:00`);
      await run("contract.endOfDay");
      for (const id of ids) expect((await contract(id)).currentRent, day).toBe(rent);
    }
    house.setClock("2026-03-12T10:00:00+08:00");
  });
});

describe("moving in", () => {
  test("waits for the first bills, unless somebody who may says why not", async () => {
    const { id, version } = await signed(house, as, aForm({ ...shop, roomId: await room() }), "2026-03-12");
    const body = { handoverOn: "2026-03-12", version };
    const refused = await house.ask(handOver, { as }, { params: { id }, body });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: "首期账单未付清（尚欠 14,000.00 元），不能办理入住" },
    });
    const manager = await house.person({ permits: [...LEASING, "#905"], villages: [shop.villageId] });
    const silent = await house.ask(handOver, { as: manager }, { params: { id }, body });
    expect(silent.body.fields).toEqual([{ field: "overrideReason", msg: "请填写原因（2-200字）" }]);
    const overrideReason = "租客次日转账";
    await house.did(handOver, { as: manager }, { params: { id }, body: { ...body, overrideReason } });
    const now = await contract(id);
    expect(now).toMatchObject({ handoverOn: "2026-03-12" });
    const [note] = await db
      .selectFrom("businessLog")
      .select("summary")
      .where("kind", "=", "contract")
      .where("recordId", "=", id)
      .where("action", "=", "办理入住")
      .execute();
    expect(note!.summary).toContain("租客次日转账");
  });

  test("is not open long before the first day", async () => {
    const form = aForm({ ...shop, roomId: await room() }, { start: "2026-04-15" });
    const { id, version } = await signed(house, as, form, "2026-03-12");
    await paid(id);
    const body = { handoverOn: "2026-03-12", version };
    const refused = await house.ask(handOver, { as }, { params: { id }, body });
    expect(refused.body.message).toBe("起租日前 7 天内才能办理入住");
  });
});
