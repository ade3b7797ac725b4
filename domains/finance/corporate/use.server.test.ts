import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aBill, aContract, aLine, aParty } from "../bill/bill.sample.ts";
import { voidBills } from "../bill/void.service.ts";
import { checkLedger } from "../check/check.service.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import { cancelRefund, confirmRefund, listRefunds } from "../refund/refund.contract.ts";
import * as calls from "./corporate.contract.ts";
import { aCompanyAccount, bankFile, claiming } from "./corporate.sample.ts";
import { giveBackToLine, linesFor, takeFromLine } from "./line.service.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const counter = await aCounter(house);
const { store } = counter;
const admin = await house.person({ superType: "1", name: "财务" });
const finance = { as: admin };
const once = () => ({ as: admin, key: randomUUID() });

const noBreaks = async () => {
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
};
const say = async (lineId: number, body: object) => {
  const { version } = await house.did(calls.getBankLine, finance, { params: { id: lineId } });
  return house.ask(calls.classifyBankLine, once(), {
    params: { id: lineId },
    body: { note: "对账确认", version, ...body } as never,
  });
};
const shown = (id: number) => house.did(calls.getBankLine, finance, { params: { id } });
const unsay = (lineId: number, useId: number) =>
  house.ask(calls.unclassifyBankLine, once(), { params: { id: lineId }, body: { useId, reason: "标错了" } });
const balance = async (account: string, accountId: number) =>
  Number(
    (
      await house.database.pool.query<{ fen: number }>(
        "select coalesce(sum(debit - credit), 0) fen from journal_line where account = $1 and merchant_account_id = $2",
        [account, accountId],
      )
    ).rows[0]!.fen,
  );

test("a channel's settlement leaves 2242 against what the channel owes, not more, and comes back by its mirror", async () => {
  const company = await aCompanyAccount(house);
  await take(house, store, counter.accounts, counter.partyId, {
    amount: 635_000,
    paidAt: "2026-03-10T09:00:00+08:00",
  });
  const { wechat } = counter.accounts;
  expect(await balance("1012", wechat)).toBe(631_190);
  const lineId = await company.came({
    day: "2026-03-11",
    amount: 631_190,
    name: "财付通支付科技有限公司",
    summary: "微信提现",
  });
  expect((await shown(lineId)).settling).toMatchObject({ accountId: wechat });
  const big = await company.came({ day: "2026-03-11", amount: 700_000, name: "财付通支付科技有限公司" });
  expect(
    (await say(big, { kind: "channelSettle", amount: 700_000, merchantAccountId: wechat })).body.fields,
  ).toEqual([{ field: "amount", msg: "超过渠道账户待结算余额" }]);
  const done = await say(lineId, {
    kind: "channelSettle",
    amount: 631_190,
    merchantAccountId: wechat,
    from: "2026-03-10",
    to: "2026-03-10",
  });
  expect(done.status).toBe(200);
  expect(await shown(lineId)).toMatchObject({ state: "noNeed", free: 0, settling: null });
  expect([await balance("1012", wechat), await company.unclaimed()]).toEqual([0, 700_000]);
  expect((await unsay(lineId, done.body.data.id)).status).toBe(200);
  expect(await shown(lineId)).toMatchObject({ state: "unclaimed", free: 631_190 });
  expect([await balance("1012", wechat), await company.unclaimed()]).toEqual([631_190, 1_331_190]);
  expect((await unsay(lineId, done.body.data.id)).status).toBe(404);
  await noBreaks();
});

test("a transfer by mistake is owed back by a refund; cancelled, the line has it again", async () => {
  const company = await aCompanyAccount(house);
  const lineId = await company.came({
    day: "2026-03-11",
    amount: 88_000,
    name: "外人公司",
    account: "6222021234567890123",
  });
  expect((await say(lineId, { kind: "wrongTransfer", amount: 88_000 })).body.fields).toEqual([
    { field: "villageId", msg: "请选择门店" },
  ]);
  expect(
    (await say(lineId, { kind: "wrongTransfer", amount: 88_000, villageId: store.villageId })).status,
  ).toBe(200);
  expect(await shown(lineId)).toMatchObject({ state: "returned", free: 0 });
  const refundOf = async () =>
    (await house.did(listRefunds, finance, { query: { source: ["transfer"] } as never })).list[0]!;
  const first = await refundOf();
  expect(first).toMatchObject({
    state: "toPay",
    amount: 88_000,
    payeeName: "外人公司",
    payeeTail: "****0123",
  });
  await noBreaks();
  await house.did(cancelRefund, once(), {
    params: { id: first.id },
    body: { version: first.version, reason: "其实是租客付的" },
  });
  expect(await shown(lineId)).toMatchObject({ state: "unclaimed", free: 88_000 });
  expect(await company.unclaimed()).toBe(88_000);

  // paid: the line stays returned, and the mark cannot be taken off any more
  const again = await say(lineId, { kind: "wrongTransfer", amount: 88_000, villageId: store.villageId });
  const second = await refundOf();
  const paper = await counter.paper(admin);
  await house.did(confirmRefund, once(), {
    params: { id: second.id },
    body: { version: second.version, merchantAccountId: counter.accounts.bankTransfer, fileIds: [paper] },
  });
  expect((await unsay(lineId, again.body.data.id)).body.message).toMatch(/已支付或支付中，不能撤销$/);
  await noBreaks();

  // the bank sends it back: the refund is owed again, and is paid as before once that was wrong
  const back = await company.came({ day: "2026-03-12", amount: 88_000, name: "退汇" });
  const offered = await house.did(calls.returnable, finance, { query: { amount: 88_000 } });
  expect(offered.map((r) => r.id)).toContain(second.id);
  expect(
    (await say(back, { kind: "refundReturn", amount: 50_000, refundId: second.id })).body.fields,
  ).toEqual([{ field: "amount", msg: "金额须等于退款金额 880.00" }]);
  const returned = await say(back, { kind: "refundReturn", amount: 88_000, refundId: second.id });
  expect(returned.status).toBe(200);
  expect(await refundOf()).toMatchObject({ state: "failed", paid: 0 });
  expect(await shown(back)).toMatchObject({ state: "noNeed", free: 0 });
  await noBreaks();
  expect((await unsay(back, returned.body.data.id)).status).toBe(200);
  expect(await refundOf()).toMatchObject({ state: "paid", paid: 88_000 });
  expect(await shown(back)).toMatchObject({ state: "unclaimed", free: 88_000 });
  await noBreaks();
});

test.each([
  ["a mark", { kind: "interest" }],
  ["its way back as a refund", { kind: "wrongTransfer", villageId: store.villageId }],
])("a claim and %s of the same line at once: what is left decides", async (_, mark) => {
  const company = await aCompanyAccount(house);
  const partyId = await aParty(house, "双方公司", { villageId: store.villageId });
  const lineId = await company.came({ day: "2026-03-11", amount: 100_000, name: "双方公司" });
  const answers = await Promise.all([
    claiming(house, admin, { lineId, villageId: store.villageId, partyId, amount: 80_000 }),
    say(lineId, { ...mark, amount: 60_000 }),
  ]);
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(["认领金额超过流水未认领余额", "超过流水未认领余额 200.00", undefined]).toContain(
    answers.find((answer) => answer.status !== 200)!.body.fields?.[0]?.msg,
  );
  const line = await shown(lineId);
  expect(line.claimed + line.classified + line.free).toBe(100_000);
  await noBreaks();
});

test("records of other nouns take from a line and give back; lines are found by amount and day", async () => {
  const company = await aCompanyAccount(house);
  const near = await company.came({ day: "2026-03-10", amount: 148_000 });
  const far = await company.came({ day: "2026-03-01", amount: 150_000 });
  await acting(
    house,
    async (act) => {
      const found = await linesFor(act, {
        amount: 150_000,
        day: "2026-03-11",
        around: 3,
        accountId: company.accountId,
      });
      expect(found.map((line) => line.id)).toEqual([near]);
      const wide = await linesFor(act, {
        amount: 150_000,
        day: "2026-03-11",
        around: 30,
        accountId: company.accountId,
      });
      expect(wide.map((line) => line.id)).toEqual([far, near]);
      await takeFromLine(act, { lineId: near, amount: 148_000, by: { type: "submission", id: 7 } });
    },
    { villages: [store.villageId] },
  );
  const line = await shown(near);
  expect(line).toMatchObject({ state: "noNeed", free: 0 });
  expect((await unsay(near, line.uses[0]!.id)).body.message).toBe("该金额已用于缴款到账，请到缴款管理撤销");
  await acting(house, (act) => giveBackToLine(act, { type: "submission", id: 7 }));
  expect(await shown(near)).toMatchObject({ state: "unclaimed", free: 148_000 });
});

test("a claim waits for approval with its amount held; paid or void bills refuse it unless the rest may be prepaid", async () => {
  const company = await aCompanyAccount(house);
  const other = await aCounter(house);
  const villageId = other.store.villageId;
  const clerk = await house.person({ permits: ["97.query", "97.get", "97.add"], villages: [villageId] });
  const manager = await house.person({ permits: ["97.query"], villages: [villageId], name: "陈店长" });
  const fallback = await house.person({ villages: [villageId] });
  await aModule(house, admin, {
    villageIds: [villageId],
    fallback,
    moduleType: "claim",
    processes: [otherwise(asking("店长", [manager]))],
  } as never);
  const owed = async () => {
    const partyId = await aParty(house, "审批公司", { villageId });
    const contractId = await aContract(house, other.store, partyId);
    const billId = await aBill(house, other.store, partyId, {
      contractId,
      dueDate: "2026-03-12",
      lines: [aLine("rent", 100_000)],
    });
    const lineId = await company.came({ day: "2026-03-11", amount: 100_000, name: "审批公司" });
    return { partyId, billId, lineId };
  };
  const submitted = async (of: Awaited<ReturnType<typeof owed>>, restToPrepaid = false) => {
    const answer = await claiming(house, clerk, {
      lineId: of.lineId,
      villageId,
      partyId: of.partyId,
      amount: 100_000,
      bills: [of.billId],
      restToPrepaid,
    });
    expect(answer.body.data.waiting).toMatch(/^SP/);
    return answer.body.data.id;
  };
  const decide = async (claimId: number, decision: "approve" | "reject") => {
    const examine = await house.database.db
      .selectFrom("examine")
      .select(["id", "version"])
      .where("targetKind", "=", "claim")
      .where("targetId", "=", claimId)
      .executeTakeFirstOrThrow();
    return house.ask(
      decideExamine,
      { as: manager, key: randomUUID() },
      {
        params: { id: examine.id },
        body: { decision, version: examine.version, comment: "已核对" } as never,
      },
    );
  };

  const one = await owed();
  const first = await submitted(one);
  expect(await shown(one.lineId)).toMatchObject({ state: "approving", reserved: 100_000, free: 0 });
  expect(await company.unclaimed()).toBe(100_000);
  await noBreaks();
  // the bill is paid at the counter meanwhile
  await take(house, other.store, other.accounts, one.partyId, {
    amount: 100_000,
    paidAt: "2026-03-12T09:00:00+08:00",
    bills: [one.billId],
  });
  expect((await decide(first, "approve")).body.message).toBe("账单已收款，请修改认领");
  expect((await decide(first, "reject")).status).toBe(200);
  expect(await shown(one.lineId)).toMatchObject({ state: "unclaimed", free: 100_000, reserved: 0 });

  const two = await owed();
  const second = await submitted(two, true);
  await acting(house, (act) => voidBills(act, [two.billId], "录入错误"));
  expect((await decide(second, "approve")).status).toBe(200);
  expect(await shown(two.lineId)).toMatchObject({ state: "claimed", claimed: 100_000 });
  const { rows } = await house.database.pool.query<{ balance: number }>(
    "select balance::int from party_balance where party_id = $1",
    [two.partyId],
  );
  expect(rows).toEqual([{ balance: 100_000 }]);

  // whoever submitted it takes it back, nobody else
  const three = await owed();
  const third = await submitted(three);
  const { version } = (await house.did(calls.getBankLine, { as: clerk }, { params: { id: three.lineId } }))
    .claims[0]!;
  const withdraw = (as: typeof clerk) =>
    house.ask(calls.withdrawClaim, { as, key: randomUUID() }, { params: { id: third }, body: { version } });
  const stranger = await house.person({ permits: ["97.add"], villages: [villageId] });
  expect((await withdraw(stranger)).body.message).toBe("只有提交人可以撤回");
  expect((await withdraw(clerk)).status).toBe(200);
  expect(await shown(three.lineId)).toMatchObject({ state: "unclaimed", free: 100_000 });
  await noBreaks();
});

test(
  "a law: whatever is claimed, undone, marked and unmarked, what remains stands in 2242 and is never below nothing",
  { timeout: 120_000 },
  async () => {
    const step = fc.record({
      what: fc.constantFrom("claim", "claim", "mark", "undo", "unmark", "take"),
      pick: fc.nat({ max: 100 }),
      percent: fc.integer({ min: 1, max: 120 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const company = await aCompanyAccount(house);
        const partyId = await aParty(house, "法则公司", { villageId: store.villageId });
        await company.send(
          bankFile([
            { day: "2026-03-10", amount: 100_000, name: "法则公司" },
            { day: "2026-03-11", amount: 1, name: "法则公司" },
          ]),
        );
        const query = { tab: "all", merchantAccountId: company.accountId } as const;
        const lines = async () => (await house.did(calls.listBankLines, finance, { query })).list;
        for (const { what, pick, percent } of steps) {
          const all = await lines();
          const line = await shown(all[pick % all.length]!.id);
          const amount = Math.max(1, Math.round((line.amount * percent) / 100));
          const approved = line.claims.filter((claim) => claim.state === "approved");
          const uses = line.uses.filter((use) => !use.undoneAt && use.kind === "interest");
          try {
            if (what === "claim") {
              const fits = amount <= line.free;
              if (fits)
                expect(
                  (
                    await claiming(house, admin, {
                      lineId: line.id,
                      villageId: store.villageId,
                      partyId,
                      amount,
                    })
                  ).status,
                ).toBe(200);
            } else if (what === "mark")
              expect((await say(line.id, { kind: "interest", amount })).status).toBe(
                amount <= line.free ? 200 : 400,
              );
            else if (what === "take")
              await acting(
                house,
                async (act) => {
                  await takeFromLine(act, {
                    lineId: line.id,
                    amount,
                    by: { type: "thirdParty", id: line.id },
                  });
                  await giveBackToLine(act, { type: "thirdParty", id: line.id });
                },
                { villages: [store.villageId] },
              );
            else if (what === "undo" && approved.length) {
              const claim = approved[pick % approved.length]!;
              const body = { version: claim.version, reason: "认错了" };
              const { status } = await house.ask(calls.undoClaim, once(), { params: { id: claim.id }, body });
              expect(status).toBe(200);
            } else if (what === "unmark" && uses.length)
              expect((await unsay(line.id, uses[pick % uses.length]!.id)).status).toBe(200);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
          const now = await lines();
          expect(now.every((one) => one.free >= 0)).toBe(true);
          expect(now.reduce((sum, one) => sum + one.amount - one.claimed - one.classified, 0)).toBe(
            await company.unclaimed(),
          );
        }
      }),
      cases(8),
    );
    await noBreaks();
  },
);
