import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { type Accounts, someAccounts, take } from "../flow/flow.sample.ts";
import { reverseFlow, takeBack } from "../flow/allocate.service.ts";
import { cancelRefund, refundRoutes, splitText } from "./refund.contract.ts";
import { APPLYING, applying, type Asking, onRefund, PAYING, refundOf } from "./refund.sample.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
let a: Store, accounts: Accounts, clerk: Person, asked: Person;
beforeAll(async () => {
  a = await aStore(house);
  accounts = await someAccounts(house, a);
  const villages = [a.villageId];
  clerk = await house.person({ permits: [...APPLYING, ...PAYING], villages });
  asked = await house.person({ permits: ["108.query"], villages, name: "罗佳宁" });
});

type Part = { flowId: number | null; amount: number };
const shown = (of: Asking, parts?: Part[]) =>
  house.did(
    refundRoutes,
    { as: clerk },
    {
      query: {
        source: of.source,
        sourceId: of.sourceId,
        villageId: of.villageId,
        amount: of.amount,
        ...(parts && { parts: splitText(parts) }),
      },
    },
  );
const split = async (of: Asking, parts: Part[]) =>
  (await applying(house, clerk, { ...of, parts }, shown(of, parts))).body;
const partsOf = async (id: number) =>
  (await refundOf(house, clerk, id)).parts.map(({ flowId, amount }) => ({ flowId, amount }));
const sound = async () =>
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);

/** Prepaid money that came twice: 600.00 on the first and 400.00 on the tenth of March. */
async function twice(name: string): Promise<Asking> {
  const partyId = await aParty(house, name, { villageId: a.villageId });
  for (const [amount, day] of [
    [60_000, "01"],
    [40_000, "10"],
  ] as const)
    await take(house, a, accounts, partyId, {
      amount,
      channel: "cash",
      paidAt: `2026-03-${day}T09:00:00+08:00`,
    });
  return { source: "prepaid", sourceId: partyId, villageId: a.villageId, partyId, amount: 30_000 };
}

test("the applicant splits a refund over the payments: shown, held to what is left of each, and booked so", async () => {
  const of = await twice("张三");
  const { shares } = await shown(of);
  expect(shares).toMatchObject([
    { paidOn: "2026-03-10", available: 40_000, amount: 30_000 },
    { paidOn: "2026-03-01", available: 60_000, amount: 0 },
  ]);
  const [young, old] = shares.map((share) => share.flowId);
  const wrong = [
    [{ flowId: young!, amount: 40_001 }, `流水 ${shares[0]!.flowNo} 最多可退 400.00 元`],
    [{ flowId: old!, amount: 29_999 }, "各笔合计 299.99 元，须等于退款金额 300.00 元"],
    [{ flowId: null, amount: 30_000 }, "所选收款没有该款项的可退余额"],
  ] as const;
  for (const [part, msg] of wrong) {
    expect((await shown(of, [part])).splitWhy).toBe(msg);
    expect((await split(of, [part])).fields).toEqual([{ field: "parts", msg }]);
  }
  const parts = [
    { flowId: young!, amount: 10_000 },
    { flowId: old!, amount: 20_000 },
  ];
  const plan = await shown(of, parts);
  expect(plan).toMatchObject({ splitWhy: "", shares: [{ amount: 10_000 }, { amount: 20_000 }] });
  // what was looked at is what is asked for
  const other = await applying(house, clerk, { ...of, parts }, shown(of));
  expect(other.body.reason).toBe("previewChanged");
  const { data } = await split(of, parts);
  expect(await partsOf(data.id)).toEqual(parts);
  expect((await shown(of)).shares.map((share) => share.available)).toEqual([30_000, 40_000]);
  await sound();
});

test("a deposit is split as well, and the same payment is twice in no split", async () => {
  const partyId = await aParty(house, "赵敏", { villageId: a.villageId });
  const contractId = await aContract(house, a, partyId, { no: "HT20260101-000079" });
  for (const day of ["01", "10"]) {
    const bill = await aBill(house, a, partyId, {
      contractId,
      lines: [aLine("deposit", 50_000, { slices: [] })],
    });
    await take(house, a, accounts, partyId, {
      amount: 50_000,
      channel: "cash",
      paidAt: `2026-03-${day}T09:00:00+08:00`,
      bills: [bill],
    });
  }
  const { villageId } = a;
  const of: Asking = { source: "deposit", sourceId: contractId, villageId, partyId, amount: 50_000 };
  const old = (await shown(of)).shares[1]!.flowId;
  const half = { flowId: old, amount: 25_000 };
  const how = { as: clerk, key: randomUUID() };
  const again = await house.ask(refundRoutes, how, {
    query: {
      source: "deposit",
      sourceId: contractId,
      villageId,
      amount: 50_000,
      parts: splitText([half, half]),
    },
  });
  expect(again.body.fields).toEqual([{ field: "parts", msg: "同一笔收款只能填写一次" }]);
  const { data } = await split(of, [{ flowId: old, amount: 50_000 }]);
  expect(await partsOf(data.id)).toEqual([{ flowId: old, amount: 50_000 }]);
  expect((await shown(of)).shares).toMatchObject([{ paidOn: "2026-03-10", available: 50_000 }]);
  await sound();
});

test("a payment whose deposit is refunded is not undone, however much others hold; cancelled, it is free again", async () => {
  const partyId = await aParty(house, "钱进", { villageId: a.villageId });
  const contractId = await aContract(house, a, partyId, { no: "HT20260101-000080" });
  const flows: number[] = [];
  for (const day of ["01", "10"]) {
    const lines = [aLine("deposit", 50_000, { slices: [] })];
    const bills = [await aBill(house, a, partyId, { contractId, lines })];
    const paidAt = `2026-03-${day}T09:00:00+08:00`;
    flows.push(
      (await take(house, a, accounts, partyId, { amount: 50_000, channel: "cash", paidAt, bills })).id!,
    );
  }
  const [old, young] = flows as [number, number];
  const { villageId } = a;
  const of: Asking = { source: "deposit", sourceId: contractId, villageId, partyId, amount: 20_000 };
  const { id } = (await split(of, [{ flowId: young, amount: 20_000 }])).data;
  const undone = async (flowId: number) =>
    acting(house, (act) => reverseFlow(act, flowId, "重复收款"), { villages: [villageId] });
  await expect(undone(young)).rejects.toMatchObject({ code: "depositUsed" });
  await expect(acting(house, (act) => takeBack(act, young))).rejects.toThrow(/已在退款单 TK.* 中退还/);
  // the other payment is nobody's refund
  await undone(old);
  await sound();
  expect((await onRefund(house, clerk, cancelRefund, id, { reason: "客户不退了" })).status).toBe(200);
  await undone(young);
  await sound();
});

test("while it waits for approval nobody else gets the payments that it names; it is refused where they are gone", async () => {
  const of = await twice("李四");
  const [young, old] = (await shown(of)).shares.map((share) => share.flowId);
  await aModule(house, await house.person({ superType: "1", name: "许承锦" }), {
    moduleType: "refund",
    name: "退款审批",
    villageIds: [a.villageId],
    fallback: asked,
    processes: [otherwise(asking("店长", [asked]))],
  });
  const parts = [{ flowId: young!, amount: 30_000 }];
  const first = (await split(of, parts)).data;
  expect(first.waiting).toMatch(/^SP/);
  expect(await partsOf(first.id)).toEqual(parts);
  expect((await shown(of)).shares).toMatchObject([
    { flowId: young, available: 40_000, wanted: 30_000, amount: 10_000 },
    { flowId: old, amount: 20_000 },
  ]);
  expect((await shown(of, parts)).splitWhy).toContain("最多可退 100.00 元");
  const second = (await applying(house, clerk, of)).body.data;
  const examineOf = async (id: number) =>
    (
      await house.database.pool.query<{ id: number }>(
        "select id::int from examine where target_kind = 'refund' and target_id = $1",
        [id],
      )
    ).rows[0]!.id;
  const approve = async (refundId: number) => {
    const params = { id: await examineOf(refundId) };
    const { version } = await house.did(getExamine, { as: asked }, { params });
    const body = { decision: "approve", version, comment: "同意" };
    return house.ask(decideExamine, { as: asked, key: randomUUID() }, { params, body: body as never });
  };
  expect((await approve(second.id)).status).toBe(200);
  expect(await partsOf(second.id)).toEqual([
    { flowId: young, amount: 10_000 },
    { flowId: old, amount: 20_000 },
  ]);
  expect((await approve(first.id)).status).toBe(200);
  expect(await partsOf(first.id)).toEqual(parts);
  await sound();
});
