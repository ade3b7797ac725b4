import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { march2026, type March } from "../check/march.sample.ts";
import { closeAccount, lockStanding } from "../setoff/setoff.service.ts";
import { listRefunds, refundsByVillage, confirmRefund, payRefund, refundRoutes } from "./refund.contract.ts";
import { applyRefund } from "./refund.service.ts";
import { APPLYING, BANK, onRefund, PAYING, refundOf } from "./refund.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let m: March;
let clerk: Person;
let sunQi: { partyId: number; contractId: number };
beforeAll(async () => {
  m = await march2026(house);
  const villages = [m.a.villageId, m.b.villageId];
  clerk = await house.person({ permits: [...APPLYING, ...PAYING], villages });
  const { rows } = await pool.query(
    `select party_id "partyId", contract_id "contractId" from bill where id = $1`,
    [m.bills["sunQiDeposit"]],
  );
  sunQi = rows[0];
}, 60_000);

const bookOf = async (account: string, village: "a" | "b" | null): Promise<number> => {
  const { rows } = await pool.query<{ fen: number }>(
    `select coalesce(sum(credit - debit), 0)::bigint fen from journal_line where account = $1
     and village_id is not distinct from $2`,
    [account, village && m[village].villageId],
  );
  return Number(rows[0]!.fen);
};
const held = async () => {
  const { rows } = await pool.query(
    `select (select held::int from deposit_balance where contract_id = $1 and kind = 'deposit') deposit,
      (select balance::int from party_balance where party_id = $2 and kind = 'prepaid') prepaid`,
    [sunQi.contractId, sunQi.partyId],
  );
  return rows[0];
};

test("孙七 gets back 3,879.50: what is held goes down with the approval, the bank with the payment, three days later", async () => {
  const villageId = m.b.villageId;
  house.setClock("2026-03-20T10:00:00+08:00");
  const leaving = { ...sunQi, ...m.b };
  await acting(house, async (act) => {
    const how = { backs: [], charge: null, prepaid: 0, settleOn: "2026-03-20", reason: "3月20日退房" };
    await closeAccount(act, leaving, await lockStanding(act, leaving), how);
  });
  expect(await held()).toEqual({ deposit: 277_950, prepaid: 110_000 });
  house.setClock("2026-03-22T10:00:00+08:00");
  const asked = { source: "settlement" as const, sourceId: sunQi.contractId, villageId, amount: 387_950 };
  const by = { villages: [villageId], operatorId: clerk.operatorId };
  const { id } = await acting(house, (act) => applyRefund(act, { ...asked, reason: "退房", ...BANK }), by);
  expect(await held()).toEqual({ deposit: 0, prepaid: 0 });
  expect((await refundOf(house, clerk, id)).parts.map((part) => part.amount)).toEqual([277_950, 110_000]);
  expect(await bookOf("2202", "b")).toBe(387_950);
  const bank = await bookOf("1002", null);
  house.setClock("2026-03-25T10:00:00+08:00");
  expect((await onRefund(house, clerk, payRefund, id)).body.message).toBe(
    "该退款须打款后确认，不能由渠道支付",
  );
  const slip = { name: "回单.pdf", bytes: aPdf(), type: "application/pdf" };
  const { data } = (await sendFile(house, clerk, slip, "paper10M")).body;
  const { version } = await refundOf(house, clerk, id);
  const body = { version, merchantAccountId: m.accounts.b.bankTransfer, fileIds: [data.id] };
  const pay = () => house.ask(confirmRefund, { as: clerk, key: randomUUID() }, { params: { id }, body });
  // pressed twice it moves money once
  const twice = await Promise.all([pay(), pay()]);
  expect(twice.map((t) => t.status).toSorted()).toEqual([200, 409]);
  expect(await bookOf("2202", "b")).toBe(0);
  expect(await bookOf("1002", null)).toBe(bank + 387_950);
  const { list, sums } = await house.did(refundsByVillage, { as: clerk }, { query: {} });
  expect(list).toMatchObject([{ id: villageId, paidCount: 1, paid: 387_950, days: 3, waiting: null }]);
  expect(sums).toMatchObject({ paidCount: 1, paid: 387_950, days: 3 });
  const ofA = { villageIds: String(m.a.villageId) } as never;
  expect((await house.did(refundsByVillage, { as: clerk }, { query: ofA })).sums!.paid).toBe(0);
  const whole = await house.did(listRefunds, { as: clerk }, { query: { tab: "paid" } });
  expect(whole.sums!.paid).toBe(387_950);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("李四's deposit of a transfer goes back by the bank, and never more than is held", async () => {
  const { rows } = await pool.query<{ contractId: number }>(
    `select contract_id "contractId" from bill where id = $1`,
    [m.bills["liSiDeposit"]],
  );
  const of = { source: "deposit" as const, sourceId: rows[0]!.contractId, villageId: m.a.villageId };
  const plan = await house.did(refundRoutes, { as: clerk }, { query: { ...of, amount: 280_000 } });
  expect(plan).toMatchObject({ available: 280_000, route: "bank", shares: [{ amount: 280_000 }] });
  expect(plan.routes.find((r) => r.route === "cash")!.why).toBe("现金退款不能超过 500.00 元");
});
