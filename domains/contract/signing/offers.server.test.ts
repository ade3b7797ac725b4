import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  activityUses,
  activityChart,
  getActivity,
  listActivities,
  usableActivities,
} from "../activity/activity.contract.ts";
import { OFFERING, aRunning, anOffer } from "../activity/activity.sample.ts";
import type { ActivityBody } from "../activity/activity.contract.ts";
import { contractBills, getContract } from "../contract/detail.contract.ts";
import { listContracts } from "../contract/contract.contract.ts";
import {
  LEASING,
  aForm,
  aRenter,
  aRoom,
  aScan,
  aShop,
  signed,
  submitted,
} from "../contract/contract.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { byHand, offerTerm, type Discount } from "../drafting/drafting.rules.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract, submitContract, voidContract } from "./signing.contract.ts";

const house = await testHouse({ poolSize: 12 });
const TODAY = "2026-03-01";
house.setClock(`${TODAY}T10:00:00+08:00`);
const shop = await aShop(house, { permits: ["#904"] });
const as = shop.clerk;
const seller = await house.person({ permits: OFFERING, villages: [shop.villageId] });
const { db } = house.database;

const offer = (more: Partial<ActivityBody> = {}) => aRunning(house, seller, anOffer([shop.villageId], more));
let rooms = 0;
const room = () => aRoom(house, shop.building, `Y${++rooms}`);

async function usable(roomId: number, more: { partyId?: number; cycleMonths?: number; end?: string } = {}) {
  const { villageId } = shop;
  return house.did(
    usableActivities,
    { as },
    {
      query: {
        villageId,
        roomIds: String(roomId),
        start: TODAY,
        end: "2027-02-28",
        cycleMonths: 3,
        ...more,
      } as never,
    },
  );
}

/** The terms of offers as the form takes them up. */
async function chosen(roomId: number, ids: readonly number[]): Promise<Discount[]> {
  const all = await usable(roomId);
  return ids.map((id) => offerTerm(all.find((o) => o.id === id)!));
}

const form = (roomId: number, discounts: Discount[], more: object = {}) =>
  aForm({ ...shop, roomId }, { start: TODAY, rent: 300_000, cycleMonths: 3, discounts, ...more });

const signing = async (held: { id: number; preview: { previewHash: string } }) => {
  const body = { fileIds: [await aScan(house, as)], signedOn: TODAY, previewHash: held.preview.previewHash };
  return house.ask(signOfflineContract, { as, key: randomUUID() }, { params: { id: held.id }, body });
};
const activity = (id: number) => house.did(getActivity, { as: seller }, { params: { id } });

const E16 = async () => [
  await offer({ name: "首月免租", kind: "firstMonths", months: 1, priority: 1 }),
  await offer({ name: "半年 95 折", monthTo: 6 }),
  await offer({ name: "立减 200", kind: "amount", amount: 20_000 }),
];

test("E16: three offers on 3,000.00 from the form to the bills in the database, to the fen", async () => {
  const ids = await E16();
  const roomId = await room();
  const { id, preview } = await signed(house, as, form(roomId, await chosen(roomId, ids)), TODAY);
  const rents = preview.added.filter((b) => b.kind !== "deposit");
  expect(rents.map((b) => b.amount)).toEqual([550_000, 855_000, 900_000, 900_000]);
  expect(preview.totals.netMonthlyRent).toBe(267_083);
  expect(preview.totals.contractTotal).toBe(3_205_000);
  const bills = await house.did(contractBills, { as }, { params: { id } });
  expect(bills.filter((b) => b.title !== "押金").map((b) => b.amount)).toEqual([
    550_000, 855_000, 900_000, 900_000,
  ]);
  const off = bills.flatMap((b) => b.lines).filter((l) => l.amount < 0);
  expect(off.map((l) => [l.reason, l.amount])).toEqual([
    ["首月免租", -300_000],
    ["半年 95 折", -30_000],
    ["立减 200", -20_000],
    ["半年 95 折", -45_000],
  ]);
  expect(off.every((l) => l.how.includes(l.amount.toString().slice(1, 2)) && l.how !== "")).toBe(true);
  expect((await house.did(getContract, { as }, { params: { id } })).netRent).toBe(267_083);
  expect(await Promise.all(ids.map(activity))).toMatchObject([
    { usedCount: 1, usedFen: 300_000 },
    { usedCount: 1, usedFen: 75_000 },
    { usedCount: 1, usedFen: 20_000 },
  ]);
  const { list, sums } = await house.did(
    activityUses,
    { as: seller },
    { params: { id: ids[1]! }, query: {} },
  );
  expect(list).toMatchObject([{ contractId: id, totalFen: 75_000, state: "standing", usedOn: TODAY }]);
  expect(sums).toEqual({ totalFen: 75_000 });
  const found = await house.did(listContracts, { as }, { query: { activityId: ids[1]! } });
  expect(found.list.map((c) => c.id)).toEqual([id]);
  const none = await house.did(listContracts, { as }, { query: { activityId: ids[1]! + 1000 } });
  expect(none.list).toEqual([]);
  const chart = await house.did(activityChart, { as: seller }, { query: {} });
  expect(chart.daily).toHaveLength(30);
  expect(chart.daily.at(-1)).toEqual({ day: TODAY, count: 3, fen: 395_000 });
  expect(chart.villages).toMatchObject([{ villageId: shop.villageId, fen: 395_000 }]);
});

test("who looks after other stores sees none of these uses, and a part of an offer's stores those of it", async () => {
  const other = await aVillage(house, { name: "临平店" });
  const both = await house.person({ permits: OFFERING, villages: [shop.villageId, other] });
  const far = await house.person({ permits: OFFERING, villages: [other] });
  const id = await aRunning(house, both, anOffer([shop.villageId, other], { name: "两店用" }));
  const roomId = await room();
  await signed(house, as, form(roomId, await chosen(roomId, [id])), TODAY);
  const seen = async (by: typeof far) => {
    const { list, sums } = await house.did(listActivities, { as: by }, { query: { keyword: "两店用" } });
    const one = await house.did(getActivity, { as: by }, { params: { id } });
    const uses = await house.did(activityUses, { as: by }, { params: { id }, query: {} });
    return [list[0]!.usedCount, sums, one.usedFen, uses.total];
  };
  expect(await seen(both)).toEqual([1, { usedCount: 1, usedFen: 180_000 }, 180_000, 1]);
  expect(await seen(seller)).toEqual([1, { usedCount: 1, usedFen: 180_000 }, 180_000, 1]);
  expect(await seen(far)).toEqual([0, { usedCount: 0, usedFen: 0 }, 0, 0]);
  // nor does the order tell how often others have used it
  const newer = await aRunning(house, both, anOffer([shop.villageId, other], { name: "两店用乙" }));
  const order = async (by: typeof far, sort: "usedCount" | "usedFen") => {
    const query = { keyword: "两店用", sort, order: "desc" } as const;
    return (await house.did(listActivities, { as: by }, { query })).list.map((one) => one.id);
  };
  for (const sort of ["usedCount", "usedFen"] as const)
    expect([await order(both, sort), await order(far, sort)]).toEqual([
      [id, newer],
      [newer, id],
    ]);
});

test("below the lowest price it is refused without the permit", async () => {
  const ids = await E16();
  const roomId = await room();
  await db.updateTable("roomPrice").set({ lowestPrice: 270_000 }).where("roomId", "=", roomId).execute();
  const { id } = await house.did(createContract, { as }, { body: form(roomId, await chosen(roomId, ids)) });
  const { previewHash } = await house.did(previewContract, { as }, { body: { id } });
  const plain = await house.person({ permits: LEASING, villages: [shop.villageId] });
  const refused = await house.ask(
    submitContract,
    { as: plain, key: randomUUID() },
    { params: { id }, body: { previewHash } },
  );
  expect(refused).toMatchObject({
    status: 422,
    body: { message: "折后月租 2,670.83 低于底价 2,700.00，需要“低于底价签约”权限或审批" },
  });
});

test("quota 1 and two signings at once: one is signed, the other is a draft again with the reason", async () => {
  const id = await offer({ name: "限一份", quota: 1 });
  const held = await Promise.all(
    [await room(), await room()].map(async (roomId) =>
      submitted(
        house,
        as,
        form(roomId, await chosen(roomId, [id]), { partyId: await aRenter(house, shop.villageId) }),
      ),
    ),
  );
  const answers = await Promise.all(held.map(signing));
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
  const lost = answers.findIndex((a) => a.status === 409);
  expect(answers[lost]!.body).toMatchObject({ reason: "quotaUsed", message: "活动名额已用完" });
  const state = async (n: number) =>
    (await db.selectFrom("contract").select("state").where("id", "=", held[n]!.id).executeTakeFirstOrThrow())
      .state;
  expect(await state(lost)).toBe("draft");
  expect(await state(1 - lost)).toBe("effective");
  const of = (table: "bill" | "occupancyRow" | "contractDiscount" | "contractDocument") =>
    db
      .selectFrom(table as "bill")
      .select("contractId")
      .where("contractId", "=", held[lost]!.id)
      .execute();
  for (const table of ["bill", "occupancyRow", "contractDiscount", "contractDocument"] as const)
    expect(await of(table)).toEqual([]);
  const told = await db
    .selectFrom("businessLog")
    .select(["action", "summary"])
    .where("kind", "=", "contract")
    .where("recordId", "=", held[lost]!.id)
    .orderBy("id", "desc")
    .executeTakeFirst();
  expect(told).toEqual({ action: "退回草稿", summary: "活动名额已用完，退回草稿，释放房间" });
  const messages = await db
    .selectFrom("message")
    .select("title")
    .where("bizId", "=", held[lost]!.id)
    .execute();
  expect(messages).toEqual([{ title: `合同 ${held[lost]!.contractNo} 已退回草稿` }]);
  expect(await activity(id)).toMatchObject({ usedCount: 1, status: "ended" });

  // as a draft it says so at once; without the offer it is signed
  const preview = await house.ask(previewContract, { as }, { body: { id: held[lost]!.id } });
  expect(preview).toMatchObject({ status: 400, body: { fields: [{ field: "discounts.0" }] } });
});

test("voiding a contract gives its offer back, and an offer that was used up runs again", async () => {
  const id = await offer({ name: "退回用", quota: 1, budget: 180_000 });
  const roomId = await room();
  const made = await signed(house, as, form(roomId, await chosen(roomId, [id])), TODAY);
  expect(await activity(id)).toMatchObject({ usedCount: 1, usedFen: 180_000, status: "ended" });
  const body = { reason: "客户改签", version: made.version };
  await house.did(voidContract, { as }, { params: { id: made.id }, body });
  expect(await activity(id)).toMatchObject({ usedCount: 0, usedFen: 0, status: "enabled" });
  const { list, sums } = await house.did(activityUses, { as: seller }, { params: { id }, query: {} });
  expect(list).toMatchObject([{ state: "returned" }]);
  expect(sums).toEqual({ totalFen: 0 });
  const again = await room();
  await signed(house, as, form(again, await chosen(again, [id])), TODAY);
  expect(await activity(id)).toMatchObject({ usedCount: 1, status: "ended" });
});

test("a party has its limit, and a budget its last fen", async () => {
  const limited = await offer({ name: "每人一份", perPartyLimit: 1 });
  const budget = await offer({ name: "有预算", budget: 359_999 });
  const [first, second] = [await room(), await room()];
  await signed(house, as, form(first, await chosen(first, [limited, budget])), TODAY);
  const mine = await usable(second, { partyId: shop.partyId });
  const why = (id: number) => mine.find((o) => o.id === id);
  expect(why(limited)).toMatchObject({ why: "已达每人上限", left: null });
  // 95 折 of 95 折: the second of them took 5 % of what was left, 171,000 fen a year
  expect(why(budget)).toMatchObject({ why: null, budgetLeft: 359_999 - 171_000 });
  const refused = async (id: number, discounts: Discount[]) => {
    const { id: draft } = await house.did(createContract, { as }, { body: form(second, discounts) });
    return { id, answer: await house.ask(previewContract, { as }, { body: { id: draft } }) };
  };
  const { answer: again } = await refused(limited, await chosen(second, [limited]));
  expect(again).toMatchObject({
    status: 400,
    body: { fields: [{ field: "discounts.0", msg: "优惠“每人一份”已达每人上限" }] },
  });
  const held = await submitted(house, as, form(second, await chosen(second, [budget])));
  // somebody else uses up the rest meanwhile: one fen less than this contract takes is left
  await db.updateTable("activity").set({ usedFen: 180_000 }).where("id", "=", budget).execute();
  expect(await signing(held)).toMatchObject({
    status: 409,
    body: { message: "活动预算已用完" },
  });
  await db.updateTable("activity").set({ usedFen: 171_000 }).where("id", "=", budget).execute();
});

test("only what fits the contract is offered, and what stopped fitting is said before it is handed in", async () => {
  const roomId = await room();
  const season = await offer({ name: "季付用", cycles: ["3"] as never });
  const long = await offer({ name: "两年用", minTermMonths: 24 });
  const firm = await offer({ name: "企业用", contractKinds: ["company"] });
  const group = [
    await offer({ name: "组甲", stackGroup: "春" }),
    await offer({ name: "组乙", stackGroup: "春" }),
  ];
  const names = async (more: object) => (await usable(roomId, more)).map((o) => o.name);
  expect(await names({})).toEqual(expect.arrayContaining(["季付用", "组甲", "组乙"]));
  expect(await names({})).not.toContain("两年用");
  expect(await names({})).not.toContain("企业用");
  expect(await names({ end: "2028-02-29" })).toContain("两年用");
  expect(await names({ cycleMonths: 1 })).not.toContain("季付用");
  const wrong = async (discounts: Discount[], more: object = {}) => {
    const { id } = await house.did(createContract, { as }, { body: form(roomId, discounts, more) });
    const { status, body } = await house.ask(previewContract, { as }, { body: { id } });
    return [status, ...(body.fields ?? []).map((e) => e.msg)];
  };
  expect(await wrong(await chosen(roomId, group))).toEqual([
    400,
    "优惠“组甲”与“组乙”互斥（春）",
    "优惠“组乙”与“组甲”互斥（春）",
  ]);
  const [one] = await chosen(roomId, [season]);
  expect(await wrong([one!, one!])).toEqual([400, "优惠“季付用”不能重复选择", "优惠“季付用”不能重复选择"]);
  expect(await wrong([one!], { cycleMonths: 1 })).toEqual([400, "优惠“季付用”不适用于该付款方式"]);
  // whatever came along with an offer's id counts for nothing
  const { id } = await house.did(createContract, { as }, { body: form(roomId, [{ ...one!, value: "90" }]) });
  const { totals } = await house.did(previewContract, { as }, { body: { id } });
  expect(totals.netMonthlyRent).toBe(285_000);
  const strange = await house.ask(
    createContract,
    { as },
    { body: form(roomId, [{ ...one!, activityId: 999_999 }]) },
  );
  expect(strange).toMatchObject({
    status: 400,
    body: { fields: [{ field: "discounts.0", msg: "请选择优惠活动" }] },
  });
  for (const unused of [long, firm]) expect((await activity(unused)).usedCount).toBe(0);
});

test("a contract that was handed in keeps its offer though it is switched off meanwhile", async () => {
  const id = await offer({ name: "将停用" });
  const roomId = await room();
  const held = await submitted(house, as, form(roomId, await chosen(roomId, [id])));
  await db.updateTable("activity").set({ state: "disabled" }).where("id", "=", id).execute();
  expect((await signing(held)).status).toBe(200);
  expect(await activity(id)).toMatchObject({ usedCount: 1, status: "disabled" });
});

test("a discount by hand stands on bills and contract without an offer", async () => {
  const roomId = await room();
  const own = { ...byHand("amount"), value: "50000", reason: "老客户" };
  const { id } = await signed(house, as, form(roomId, [own]), TODAY);
  const rows = await db.selectFrom("contractDiscount").selectAll().where("contractId", "=", id).execute();
  expect(rows).toMatchObject([{ activityId: null, name: "整单优惠", totalFen: 50_000, reason: "老客户" }]);
  const bad = form(roomId, [{ ...own, kind: "firstMonths", value: "1" }]);
  const refused = await house.ask(createContract, { as }, { body: bad });
  expect(refused).toMatchObject({ status: 400, body: { message: "整单优惠只能立减或打折" } });
});

const anyDeal = fc.record({
  picks: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 4 }),
  rent: fc.integer({ min: 30_000, max: 400_000 }),
  cycleMonths: fc.constantFrom(1, 3, 6, 12, 0),
  hand: fc.option(fc.integer({ min: 1, max: 90_000 })),
  voided: fc.boolean(),
});

test("whatever is signed and voided, what offers gave is what the contracts were given", async () => {
  const ids = [
    ...(await E16()),
    await offer({ name: "每月减", kind: "amount", amount: 33_333, everyMonth: true }),
  ];
  for (const deal of fc.sample(anyDeal, { numRuns: 12, seed: 16 })) {
    const roomId = await room();
    const offers = await chosen(
      roomId,
      deal.picks.map((n) => ids[n]!),
    );
    const discounts =
      deal.hand === null ? offers : [...offers, { ...byHand("amount"), value: String(deal.hand) }];
    const { rent, cycleMonths } = deal;
    const made = await signed(house, as, form(roomId, discounts, { rent, cycleMonths }), TODAY);
    const lines = (await house.did(contractBills, { as }, { params: { id: made.id } })).flatMap(
      (b) => b.lines,
    );
    const off = lines.reduce((sum, l) => sum - Math.min(l.amount, 0), 0);
    const { rows } = await house.database.pool.query(
      "select coalesce(sum(total_fen), 0)::bigint fen from contract_discount where contract_id = $1",
      [made.id],
    );
    expect(Number(rows[0].fen)).toBe(off);
    expect(lines.reduce((sum, l) => sum + l.amount, 0)).toBeGreaterThanOrEqual(0);
    if (deal.voided)
      await house.did(
        voidContract,
        { as },
        { params: { id: made.id }, body: { reason: "测试作废", version: made.version } },
      );
  }
  const { rows } = await house.database.pool.query(`
    select a.id, a.used_count, a.used_fen, count(d.id)::int n, coalesce(sum(d.total_fen), 0)::bigint fen
    from activity a left join contract_discount d on d.activity_id = a.id and d.returned_on is null group by a.id`);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect([row.used_count, Number(row.used_fen)]).toEqual([row.n, Number(row.fen)]);
  const { sums } = await house.did(listActivities, { as: seller }, { query: {} });
  expect(sums?.usedFen).toBe(rows.reduce((sum, row) => sum + Number(row.used_fen), 0));
}, 60_000);
