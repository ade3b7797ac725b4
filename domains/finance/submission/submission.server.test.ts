import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, from, otherwise } from "../../approval/module/module.sample.ts";
import { aStore } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { bookCost, payCost } from "../flow/booking.service.ts";
import { getFlow, reverseFlow } from "../flow/flow.contract.ts";
import { listBankLines } from "../corporate/corporate.contract.ts";
import { setBilling } from "../setting/setting.service.ts";
import * as calls from "./submission.contract.ts";
import { tellFull, tellLate } from "./submission.job.ts";
import { HANDING, aTill } from "./submission.sample.ts";

const house = await testHouse();
let t: Awaited<ReturnType<typeof aTill>>;
beforeEach(async () => {
  house.setClock("2026-03-26T12:00:00+08:00");
  t = await aTill(house);
});
const at = (moment: string) => house.setClock(`${moment}:00+08:00`);
const sound = async () => {
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
};
const pending = async () =>
  (
    await house.did(
      calls.pendingTakings,
      { as: t.cashier },
      { query: { villageIds: String(t.store.villageId) } as never },
    )
  ).list;
/** The messages about the store, with who has them. */
const heard = async () => {
  const { rows } = await house.database.pool.query<{ title: string; content: string; people: number[] }>(
    `select m.title, m.content, array_agg(r.operator_id order by r.operator_id) people from message m
     join message_receipt r on r.message_id = m.id where m.village_id = $1 group by m.id order by m.id`,
    [t.store.villageId],
  );
  return rows;
};

test("1,500.00 handed over on the 27th, 1,480.00 arrives: 20.00 short, paid into the cash box, handed over again", async () => {
  await t.taking(150_000, "2026-03-26");
  expect(await pending()).toMatchObject([
    { kind: "cash", bankDay: "2026-03-26", flows: 1, amount: 150_000, kept: 0, repaid: 0, lateDays: 0 },
  ]);
  at("2026-03-27T11:00");
  const { id, submissionNo } = await t.handOver("2026-03-26", { slipNo: "A-17" });
  expect(submissionNo).toMatch(/^JK20260327-\d{6}$/);
  const books = async () => ({
    box: await t.balance("1001", t.accounts.cash),
    way: await t.balance("1019"),
    short: await t.balance("1221"),
    bank: await t.balance("1002", t.accounts.bankTransfer),
  });
  expect(await books()).toEqual({ box: 0, way: 150_000, short: 0, bank: 0 });
  expect(await pending()).toEqual([]);
  expect(await t.shown(id)).toMatchObject({
    state: "submitted",
    expected: 150_000,
    submitted: 150_000,
    received: null,
    slips: 1,
    slipNo: "A-17",
    creator: "林收银",
    items: [{ what: "flow", amount: 150_000, partyName: "张三" }],
  });

  at("2026-03-28T10:00");
  expect(
    (await t.on(calls.receiveSubmission, id, { amount: 148_000, receivedOn: "2026-03-28" })).body.data,
  ).toEqual({
    id,
    state: "short",
  });
  expect(await t.shown(id)).toMatchObject({ received: 148_000, diff: -2_000, receiver: "顾财务" });
  expect(await books()).toEqual({ box: 0, way: 0, short: 2_000, bank: 148_000 });
  expect((await heard()).map(({ title, content }) => [title, content])).toEqual([
    [
      expect.stringMatching(/^缴款短款：.+ 20\.00 元$/),
      `缴款单 ${submissionNo}（2026-03-26 现金）实缴 1,500.00 元，到账少 20.00 元，请补缴或申请核损。`,
    ],
  ]);
  await sound();

  const repay = { way: "repay", merchantAccountId: t.accounts.cash, reason: "收银员补足" };
  expect((await t.on(calls.settleShort, id, repay)).body.data).toEqual({
    id,
    state: "settled",
    waiting: null,
  });
  expect(await books()).toEqual({ box: 2_000, way: 0, short: 0, bank: 148_000 });
  expect(await pending()).toMatchObject([{ bankDay: "2026-03-28", flows: 0, amount: 2_000, repaid: 2_000 }]);
  const again = await t.handOver("2026-03-28");
  expect(await t.shown(again.id)).toMatchObject({
    expected: 2_000,
    items: [{ what: "repaid", number: submissionNo }],
  });
  const undo = await t.on(calls.unreceiveSubmission, id, { reason: "银行退回" });
  expect(undo.body.message).toBe(`补缴款已在缴款单 ${again.submissionNo} 中，请先取消该缴款单`);
  await sound();
});

test("what was taken is handed over once: the second cashier is told where it is; the reversal of a flow waits for it", async () => {
  const flowId = await t.taking(150_000, "2026-03-26");
  const body = (await t.form("2026-03-26")) as never;
  const pictures = [await t.slip()];
  const both = await Promise.all(
    [body, { ...(body as object), pictures } as never].map((sent) =>
      house.ask(calls.addSubmission, { as: t.cashier, key: randomUUID() }, { body: sent }),
    ),
  );
  const [won] = both.filter((one) => one.status === 200);
  const [lost] = both.filter((one) => one.status !== 200);
  expect(lost).toMatchObject({
    status: 409,
    body: { message: `流水已在缴款单 ${won!.body.data.submissionNo} 中` },
  });
  const { id } = won!.body.data;

  const reverse = async () => {
    const { version } = await house.did(getFlow, { as: t.second }, { params: { id: flowId } });
    const sent = { params: { id: flowId }, body: { reason: "重复收款", version } };
    return (await house.ask(reverseFlow, { as: t.second, key: randomUUID() }, sent)).body.message;
  };
  expect(await reverse()).toBe("流水在待到账的缴款单中，请先取消缴款");
  const flow = await house.did(getFlow, { as: t.second }, { params: { id: flowId } });
  expect(flow).toMatchObject({ submissionId: id, submissionState: "submitted" });
  await t.on(calls.receiveSubmission, id, { amount: 150_000, receivedOn: "2026-03-26" });
  expect(await reverse()).toBe("已缴款到账，请先处理缴款单");
  await t.on(calls.unreceiveSubmission, id, { reason: "到账登记有误" });
  const own = await t.on(calls.cancelSubmission, id, { reason: "钱未缴出" }, t.cashier);
  // what was cancelled is handed over again: counted twice it would be more than was taken
  const listed = await house.did(
    calls.listSubmissions,
    { as: t.cashier },
    { query: { villageIds: String(t.store.villageId) } as never },
  );
  expect(listed.list.map((s) => s.state)).toContain("cancelled");
  const standing = listed.list.filter((s) => s.state !== "cancelled");
  expect(listed.sums!.submitted).toBe(standing.reduce((sum, s) => sum + s.submitted, 0));
  expect(own.body.data).toEqual({ id, state: "cancelled" });
  expect(await t.balance("1019")).toBe(0);
  expect(await pending()).toMatchObject([{ amount: 150_000 }]);
  expect(await reverse()).toBe("ok");
  expect(await pending()).toEqual([]);
  await sound();
});

test("less than was taken needs a reason, and the rest stays listed as long as it lies in the box", async () => {
  await t.taking(100_000, "2026-03-26");
  const less = { submitted: 70_000 };
  expect(
    await t.refused(calls.addSubmission, t.cashier, { body: (await t.form("2026-03-26", less)) as never }),
  ).toEqual({
    status: 400,
    keptReason: "请填写原因（2-200字）",
  });
  const tooMuch = await t.form("2026-03-26", { submitted: 100_001 });
  expect(await t.refused(calls.addSubmission, t.cashier, { body: tooMuch as never })).toEqual({
    status: 400,
    submitted: "实缴不能大于应缴",
  });
  expect(
    await t.refused(calls.addSubmission, t.cashier, {
      body: (await t.form("2026-03-26", { pictures: [] })) as never,
    }),
  ).toEqual({ status: 400, pictures: "请上传图片" });
  const first = await t.handOver("2026-03-26", { ...less, keptReason: "备用金" });
  expect(await pending()).toMatchObject([
    { flows: 0, amount: 30_000, kept: 30_000, lateDays: 0, dueAt: null },
  ]);

  // a part of it is handed over later; the one before cannot be cancelled under it
  at("2026-03-27T11:00");
  await t.taking(5_000, "2026-03-27");
  const second = await t.handOver("2026-03-27", { andBefore: true, submitted: 25_000, keptReason: "备用金" });
  expect(await t.shown(second.id)).toMatchObject({ expected: 35_000, kept: 10_000 });
  expect((await t.on(calls.cancelSubmission, first.id, { reason: "重新缴款" })).body.message).toBe(
    `留存款已在缴款单 ${second.submissionNo} 中，请先取消该缴款单`,
  );
  expect(await pending()).toMatchObject([{ amount: 10_000, kept: 10_000 }]);
  await sound();
});

test("more than the box holds is refused; what was paid out of it is not asked for again", async () => {
  await t.taking(50_000, "2026-03-26");
  await acting(house, async (act) => {
    const cost = {
      villageId: t.store.villageId,
      payeeName: "保洁公司",
      feeSubjectId: await t.subject("cleaningCost"),
      periodStart: "2026-03-01",
      periodEnd: "2026-03-31",
      amount: 20_000,
      dueDate: "2026-03-26",
    };
    const bill = await bookCost(act, cost);
    const paid = {
      channel: "cash",
      merchantAccountId: t.accounts.cash,
      paidAt: "2026-03-26T11:00:00+08:00",
    } as const;
    await payCost(act, bill.id, { amount: 20_000, ...paid });
  });
  const whole = await t.form("2026-03-26");
  expect(await t.refused(calls.addSubmission, t.cashier, { body: whole as never })).toEqual({
    status: 409,
    message: "现金余额不足",
  });
  await t.handOver("2026-03-26", { submitted: 30_000, keptReason: "支付保洁费" });
  expect(await pending()).toEqual([]);
});

test("POS takings go net of the fee; a line of the claimed account is their money, and is given back", async () => {
  await t.taking(200_000, "2026-03-26", "pos");
  expect(await pending()).toMatchObject([{ kind: "pos", amount: 199_000, dueAt: null }]);
  const { id } = await t.handOver("2026-03-26", { kind: "pos", toAccountId: t.claimed });
  expect(await t.balance("1012", t.accounts.pos)).toBe(0);
  const lineId = await t.line(200_500, "2026-03-27");
  expect(await house.did(calls.linesOfSubmission, { as: t.finance }, { params: { id } })).toMatchObject([
    { id: lineId, free: 200_500 },
  ]);
  // a line of the very amount says by itself what it may be, to who sees the store
  const exact = await t.line(199_000, "2026-03-27");
  const hintOf = async (as: Person) =>
    (await house.did(listBankLines, { as }, { query: {} as never })).list.find((line) => line.id === exact)!
      .hint;
  const { submissionNo } = await t.shown(id);
  const permits = ["97.query"];
  expect(await hintOf(await house.person({ permits, villages: [t.store.villageId] }))).toBe(
    `缴款 ${submissionNo}：金额一致`,
  );
  const elsewhere = (await aStore(house)).villageId;
  expect(await hintOf(await house.person({ permits, villages: [elsewhere] }))).toBe("");
  const byHand = await t.on(calls.receiveSubmission, id, { amount: 199_000, receivedOn: "2026-03-26" });
  expect(byHand.body.message).toBe("转入账户为对公入账账户，请匹配银行流水");
  const beyond = await t.on(calls.matchSubmission, id, { lineId, amount: 200_501 });
  expect(beyond.body.fields).toEqual([{ field: "amount", msg: "超过流水未认领余额 2,005.00" }]);
  const over = await t.on(calls.matchSubmission, id, { lineId, amount: 200_500 }, t.cashier);
  expect(over.body.data).toEqual({ id, state: "over" });
  expect(await t.shown(id)).toMatchObject({ diff: 1_500, bankLineId: lineId, receivedOn: "2026-03-27" });
  expect(await t.balance("6702")).toBe(-1_500);
  const left = async () =>
    await house.database.db
      .selectFrom("bankLine")
      .select(["free", "state"])
      .where("id", "=", lineId)
      .executeTakeFirstOrThrow();
  expect(await left()).toEqual({ free: 0, state: "noNeed" });
  await t.on(calls.unreceiveSubmission, id, { reason: "匹配错了" });
  expect(await left()).toEqual({ free: 200_500, state: "unclaimed" });
  expect(await t.balance("6702")).toBe(0);
  expect(await t.balance("1019")).toBe(199_000);
  // once more, with entries of their own
  expect((await t.on(calls.matchSubmission, id, { lineId, amount: 199_000 })).body.data).toEqual({
    id,
    state: "received",
  });
  expect(await left()).toEqual({ free: 1_500, state: "partial" });
  await sound();
});

test("cash is late from 18:00 of the next workday on; who works there hears of it once a day", async () => {
  // a Friday; Monday is a day off, so Tuesday 18:00 is the end of it
  await house.database.db
    .insertInto("specialDay")
    .values({ enterpriseId: house.enterpriseId, day: "2026-03-30", kind: "off" })
    .execute();
  await t.taking(10_000, "2026-03-26");
  at("2026-03-27T12:00");
  await t.taking(40_000, "2026-03-27");
  at("2026-03-31T17:59");
  const late = async () => (await pending()).map((row) => [row.bankDay, row.lateDays]);
  expect(await late()).toEqual([
    ["2026-03-26", 4],
    ["2026-03-27", 0],
  ]);
  at("2026-03-31T18:01");
  expect((await late())[1]).toEqual(["2026-03-27", 1]);
  await acting(house, tellLate);
  await acting(house, tellLate);
  const told = await heard();
  expect(told.map((m) => m.title)).toEqual([expect.stringMatching(/有 500\.00 元现金超期未缴$/)]);
  expect(told[0]!.people).toContain(t.cashier.operatorId);
  // what is handed over now was late by one day
  const { id } = await t.handOver("2026-03-27");
  expect(await t.shown(id)).toMatchObject({ lateDays: 1 });
  await house.database.db.deleteFrom("specialDay").execute();
});

test("a cash box above its store's limit is told of, once a day", async () => {
  const { enterpriseId } = house;
  await setBilling({ tx: house.database.db }, { enterpriseId }, { cashLimit: 100_000 });
  await t.taking(100_000, "2026-03-26");
  await acting(house, tellFull);
  expect(await heard()).toEqual([]);
  await t.taking(50_000, "2026-03-26");
  await acting(house, tellFull);
  await acting(house, tellFull);
  const told = await heard();
  expect(told.map(({ title, content }) => [title, content])).toEqual([
    [
      expect.stringMatching(/现金 1,500\.00 元超过上限$/),
      expect.stringMatching(/现有现金 1,500\.00 元，超过上限 1,000\.00 元，请尽快缴款。$/),
    ],
  ]);
  expect(told[0]!.people).toContain(t.cashier.operatorId);
  await setBilling({ tx: house.database.db }, { enterpriseId }, { cashLimit: 0 });
});

test("nothing is seen or done beyond one's stores and rights; a stale look is refused", async () => {
  await t.taking(150_000, "2026-03-26");
  const { id } = await t.handOver("2026-03-26");
  const far = await house.person({ permits: ["112.query", "112.get", "112.add", "#11201"], villages: [] });
  expect((await house.ask(calls.getSubmission, { as: far }, { params: { id } })).status).toBe(404);
  const { version } = await t.shown(id);
  const receive = { params: { id }, body: { version, amount: 150_000, receivedOn: "2026-03-26" } };
  const key = () => randomUUID();
  expect((await house.ask(calls.receiveSubmission, { as: far, key: key() }, receive)).status).toBe(404);
  expect((await house.ask(calls.receiveSubmission, { as: t.cashier, key: key() }, receive)).status).toBe(403);
  const colleague = await house.person({ permits: HANDING, villages: [t.store.villageId] });
  const taken = await t.on(calls.cancelSubmission, id, { reason: "重新缴款" }, colleague);
  expect([taken.status, taken.body.message]).toEqual([403, "只有缴款人或可确认到账的人可以取消"]);
  expect((await t.shown(id)).state).toBe("submitted");
  await house.did(calls.receiveSubmission, { as: t.finance, key: key() }, receive);
  const late = await house.ask(calls.receiveSubmission, { as: t.finance, key: key() }, receive);
  expect(late).toMatchObject({ status: 409, body: { message: "数据已被他人修改，请刷新后重试" } });
  const { list, sums } = await house.did(
    calls.listSubmissions,
    { as: t.finance },
    { query: { keyword: (await t.shown(id)).submissionNo } as never },
  );
  expect(list.map((row) => row.id)).toEqual([id]);
  expect(sums).toEqual({ expected: 150_000, submitted: 150_000, received: 150_000, diff: 0 });
});

test("a loss waits for its approval, nothing else is done meanwhile, and a double click moves money once", async () => {
  const villages = [t.store.villageId];
  const admin = await house.person({ superType: "1", name: "许承锦" });
  const manager = await house.person({ permits: ["112.query"], villages, name: "陈店长" });
  const fallback = await house.person({ villages });
  await aModule(house, admin, {
    moduleType: "shortLoss",
    name: "短款核损审批",
    villageIds: villages,
    fallback,
    processes: [from(1_000, asking("店长", [manager])), otherwise()],
  });
  await t.taking(150_000, "2026-03-26");
  const sent = { as: t.cashier, key: randomUUID() };
  const body = (await t.form("2026-03-26")) as never;
  const twice = [
    await house.did(calls.addSubmission, sent, { body }),
    await house.did(calls.addSubmission, sent, { body }),
  ];
  expect(twice[1]!.id).toBe(twice[0]!.id);
  const { id } = twice[0]!;
  await t.on(calls.receiveSubmission, id, { amount: 148_000, receivedOn: "2026-03-26" });
  const asked = await t.on(calls.settleShort, id, { way: "loss", reason: "找零差错" });
  expect(asked.body.data).toMatchObject({ state: "short", waiting: expect.stringMatching(/^SP/) });
  expect(await t.shown(id)).toMatchObject({ state: "short", frozen: true });
  const frozen = [
    await t.on(calls.unreceiveSubmission, id, { reason: "登记有误" }),
    await t.on(calls.settleShort, id, { way: "repay", merchantAccountId: t.accounts.cash, reason: "补足" }),
  ];
  expect(frozen.map((one) => one.body.message)).toEqual(["审批中，不能修改", "审批中，不能修改"]);
  const examine = await house.database.db
    .selectFrom("examine")
    .select(["id", "version", "title"])
    .where("targetKind", "=", "submission")
    .where("targetId", "=", id)
    .executeTakeFirstOrThrow();
  expect(examine.title).toBe(`短款核损 ${twice[0]!.submissionNo}`);
  await house.did(
    decideExamine,
    { as: manager, key: randomUUID() },
    { params: { id: examine.id }, body: { decision: "approve", version: examine.version } },
  );
  expect(await t.shown(id)).toMatchObject({
    state: "settled",
    settleWay: "loss",
    settleReason: "找零差错",
    frozen: false,
  });
  expect([await t.balance("1221"), await t.balance("6702")]).toEqual([0, 2_000]);
  await sound();
  await t.on(calls.unreceiveSubmission, id, { reason: "银行补入" });
  expect([await t.balance("1221"), await t.balance("6702"), await t.balance("1019")]).toEqual([
    0, 0, 150_000,
  ]);
  await sound();
});
