import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aStore, bookBalance, type Store } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { confirmFlow, previewConfirm, rejectFlow } from "../flow/flow.contract.ts";
import { type Accounts, someAccounts } from "../flow/flow.sample.ts";
import { accountSummary } from "../summary/summary.contract.ts";
import * as income from "./income.contract.ts";
import { aConfirmed, aPartner, onSheet, sheetOf, THIRD_PARTY } from "./third-party.sample.ts";

const house = await testHouse({ poolSize: 6 });
house.setClock("2026-03-31T10:00:00+08:00");
const store: Store = await aStore(house);
const purses: Accounts = await someAccounts(house, store);
const villages = [store.villageId];
const permits = [...THIRD_PARTY, "102.query", "102.get", "#10201", "#10202"];
const me = await house.person({ permits, villages });
const boss = await house.person({ permits, villages });
const refusalOf = (answer: {
  status: number;
  body: { message: string; fields?: readonly { field: string; msg: string }[] };
}) => `${answer.status} ${answer.body.fields?.[0]?.field ?? ""} ${answer.body.message}`.replace("  ", " ");
const holds = async () =>
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);

describe("a receipt in a channel that needs a second person", () => {
  let id: number;
  const paid = (amount: number) => ({
    by: "receipt" as const,
    amount,
    channel: "bankTransfer" as const,
    merchantAccountId: purses.bankTransfer,
    paidAt: "2026-03-30T09:00:00+08:00",
  });
  const settle = (amount: number) => onSheet(house, me, income.settleSheet, id, paid(amount));
  const onFlow = (flowNo: string, call: typeof confirmFlow | typeof rejectFlow, as = boss) =>
    house.database.db
      .selectFrom("flow")
      .select("id")
      .where("flowNo", "=", flowNo)
      .executeTakeFirstOrThrow()
      .then((params) =>
        house.ask(
          call as typeof rejectFlow,
          { as, key: randomUUID() },
          { params, body: { reason: "未到账" } },
        ),
      );
  beforeAll(async () => {
    const { id: thirdPartyId } = await aPartner(house, me, villages);
    id = await aConfirmed(house, me, { ...store, month: "2026-03", thirdPartyId, gross: 100_000 });
  });
  const owed = () => bookBalance(house, "1131", store.villageId);

  test("waits, settles nothing, and leaves no more than the rest to be settled beside it", async () => {
    const { body } = await settle(40_000);
    expect(body.data).toMatchObject({ settlementId: null });
    expect(await sheetOf(house, me, id)).toMatchObject({ state: "confirmed", settled: 0, waiting: 40_000 });
    expect(await owed()).toBe(60_000);
    expect(refusalOf(await settle(20_001))).toBe(
      "400 amount 结算金额超过未结算金额，其中 400.00 已登记待确认",
    );
    const reversed = await onSheet(house, me, income.reverseSheet, id, { reason: "登记错误" });
    const { paidBy } = body.data!;
    expect(refusalOf(reversed)).toBe(`409 结算流水 ${paidBy} 待确认，请先确认或驳回`);
    expect((await onFlow(paidBy, confirmFlow, me)).body.message).toBe("录入人不能确认自己的流水");
    await onFlow(paidBy, rejectFlow);
    expect(await sheetOf(house, me, id)).toMatchObject({ settled: 0, waiting: 0 });
    await holds();
  });

  test("settles once the other one confirms it, and is taken back like other flows: by authority and approval", async () => {
    const { paidBy } = (await settle(60_000)).body.data!;
    const { id: flowId } = await house.database.db
      .selectFrom("flow")
      .select("id")
      .where("flowNo", "=", paidBy)
      .executeTakeFirstOrThrow();
    const preview = await house.did(previewConfirm, { as: boss }, { params: { id: flowId } });
    expect(preview).toMatchObject({ amount: 60_000, toPrepaid: 0, rows: [] });
    expect((await onFlow(paidBy, confirmFlow)).status).toBe(200);
    const shown = await sheetOf(house, me, id);
    expect(shown).toMatchObject({ state: "settled", settled: 60_000, waiting: 0 });
    expect([await owed(), await bookBalance(house, "2203", store.villageId)]).toEqual([0, 0]);
    await holds();
    // its day waits for a statement like that of any receipt
    const head = await house.person({ superType: "1" });
    const days = { query: { from: "2026-03-30", to: "2026-03-30" } as never };
    const { list } = await house.did(accountSummary, { as: head }, days);
    expect(list.find((row) => row.id === purses.bankTransfer)).toMatchObject({
      received: 60_000,
      unreconciled: 1,
    });

    const { id: settlementId } = shown.settlements[0]!;
    const undo = (as: Person) =>
      onSheet(house, as, income.undoSettlement, id, { reason: "认错流水" }, { settlementId });
    const junior = await house.person({ permits: THIRD_PARTY, villages });
    expect((await undo(junior)).status).toBe(403);
    const admin = await house.person({ superType: "1" });
    await aModule(house, admin, {
      moduleType: "flowReverse",
      name: "冲销审批",
      villageIds: villages,
      fallback: admin,
      processes: [otherwise(asking("财务", [admin]))],
    });
    expect((await undo(me)).body.data).toEqual({ waiting: expect.stringMatching(/^SP/) });
    expect(await sheetOf(house, me, id)).toMatchObject({ state: "settled" });
    const examine = await house.database.db
      .selectFrom("examine")
      .select("id")
      .where("targetKind", "=", "flow")
      .where("targetId", "=", flowId)
      .executeTakeFirstOrThrow();
    const { version } = await house.did(getExamine, { as: admin }, { params: examine });
    const decided = await house.ask(
      decideExamine,
      { as: admin, key: "undo-of-the-settlement" },
      { params: examine, body: { decision: "approve", version, comment: "核对" } },
    );
    expect(decided.status).toBe(200);
    expect(await sheetOf(house, me, id)).toMatchObject({
      state: "confirmed",
      settled: 0,
      outstanding: 60_000,
    });
    expect(await owed()).toBe(60_000);
    await holds();
  });

  test("is rejected where its sheet is settled or taken off the books by then", async () => {
    const { paidBy } = (await settle(60_000)).body.data!;
    await house.database.pool.query(
      "update third_party_income set settled = 1, state = 'partSettled' where id = $1",
      [id],
    );
    const { sheetNo } = await sheetOf(house, me, id);
    expect((await onFlow(paidBy, confirmFlow)).body.message).toBe(
      `${sheetNo} 结算金额超过未结算金额，请驳回该流水后重新登记`,
    );
    await house.database.pool.query(
      "update third_party_income set settled = 0, state = 'confirmed' where id = $1",
      [id],
    );
    await onFlow(paidBy, rejectFlow);
  });
});

test("many are confirmed as they were seen: one that was changed meanwhile is named, and none is booked", async () => {
  const { id: thirdPartyId } = await aPartner(house, me, villages);
  const made = [];
  for (const month of ["2026-01", "2026-02"]) {
    const body = { villageId: store.villageId, month, thirdPartyId, gross: 100_000 };
    made.push(await house.did(income.addSheet, { as: me }, { body }));
  }
  const seen = await Promise.all(made.map(({ id }) => sheetOf(house, me, id)));
  const items = seen.map(({ id, version }) => ({ id, version }));
  const last = made[1]!;
  const { villageId } = store;
  await onSheet(house, me, income.editSheet, last.id, {
    villageId,
    month: "2026-02",
    thirdPartyId,
    gross: 900_000,
  });
  const confirm = (body: object) =>
    house.ask(income.confirmSheets, { as: me, key: randomUUID() }, { body: body as { items: typeof items } });
  expect(refusalOf(await confirm({ items }))).toBe(`409 ${last.sheetNo}：数据已被他人修改，请刷新后重试`);
  expect((await sheetOf(house, me, made[0]!.id)).state).toBe("draft");
  items[1]!.version += 1;
  expect((await confirm({ items })).body.data).toEqual({ count: 2, waiting: 0 });
  expect((await sheetOf(house, me, last.id)).state).toBe("confirmed");
});
