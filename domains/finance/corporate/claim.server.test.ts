import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import { checkLedger } from "../check/check.service.ts";
import { aCounter } from "../flow/flow.sample.ts";
import { reverseFlow } from "../flow/flow.contract.ts";
import { statesSaid } from "../reconcile/reconcile.sample.ts";
import * as calls from "./corporate.contract.ts";
import { aCompanyAccount, bankFile, claiming } from "./corporate.sample.ts";

const house = await testHouse();
const a = await aCounter(house);
const b = await aCounter(house);
const PERMITS = ["97.query", "97.get", "97.add", "#9701", "#9702"];
const clerkA = await house.person({ permits: PERMITS, villages: [a.store.villageId], name: "甲店文员" });
const clerkB = await house.person({ permits: PERMITS, villages: [b.store.villageId], name: "乙店文员" });
const finance = await house.person({
  permits: [...PERMITS, "97.import", "102.query", "#10202"],
  villages: [a.store.villageId, b.store.villageId],
  name: "财务",
});

const noBreaks = async () => {
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
};
const outstanding = async (id: number) => (await readBills({ tx: house.database.db }, [id]))[0]!.outstanding;

/** A customer of a store with a rent due on 5 March, late from the next day on. */
async function owing(of: typeof a, name: string, amount: number, graceDays = 0) {
  const partyId = await aParty(house, name, { villageId: of.store.villageId });
  const contractId = await aContract(house, of.store, partyId);
  const billId = await aBill(house, of.store, partyId, {
    contractId,
    dueDate: "2026-03-05",
    graceDays,
    lines: [aLine("rent", amount)],
  });
  return { partyId, billId };
}

test("the example line: two claims approved on 8 March, the late fee counts to the 6th, 500.00 stays", async () => {
  house.setClock("2026-03-06T18:00:00+08:00");
  const company = await aCompanyAccount(house);
  const hongYuan = await owing(b, "宏远商贸", 1_000_000, 3);
  const zhaoLiu = await owing(a, "赵六", 150_000);
  house.setClock("2026-03-08T10:00:00+08:00");
  const lineId = await company.came({ day: "2026-03-06", amount: 1_200_000, name: "宏远商贸" });
  expect(await company.unclaimed()).toBe(1_200_000);
  expect(
    (
      await claiming(house, clerkB, {
        lineId,
        villageId: b.store.villageId,
        amount: 1_000_000,
        partyId: hongYuan.partyId,
        bills: [hongYuan.billId],
      })
    ).status,
  ).toBe(200);
  // somebody else than 赵六 paid: that wants a proof
  const paper = await a.paper(clerkA);
  const zhao = {
    lineId,
    villageId: a.store.villageId,
    amount: 150_000,
    partyId: zhaoLiu.partyId,
    bills: [zhaoLiu.billId],
  };
  const bare = await claiming(house, clerkA, zhao);
  expect([bare.status, bare.body.fields]).toEqual([
    400,
    [{ field: "fileIds", msg: "付款人与客户不一致，请上传证明" }],
  ]);
  expect((await claiming(house, clerkA, { ...zhao, fileIds: [paper] })).status).toBe(200);
  const line = await company.lineOf(lineId);
  expect(line).toMatchObject({ state: "partial", claimed: 1_150_000, free: 50_000 });
  // each was made from the line: there is nothing to compare it with
  expect(await statesSaid(house, finance, company.accountId)).toEqual(["matched", "matched"]);
  expect(await company.unclaimed()).toBe(50_000);
  // grace 0: one day late on the 6th, 0.75; three days and 2.25 had it counted on the 8th
  expect(await outstanding(zhaoLiu.billId)).toBe(75);
  expect(await outstanding(hongYuan.billId)).toBe(0);
  const { rows } = await house.database.pool.query(
    `select e.date::text, e.business_date::text from journal_entry e where e.event = 'E17' order by e.id`,
  );
  expect(rows).toEqual([
    { date: "2026-03-08", business_date: "2026-03-06" },
    { date: "2026-03-08", business_date: "2026-03-06" },
  ]);
  await noBreaks();
});

test("two clerks claim 8,000.00 and 5,000.00 of 12,000.00 at once: the second is refused", async () => {
  const company = await aCompanyAccount(house);
  const one = await owing(a, "东方贸易", 800_000);
  const two = await owing(b, "东方贸易", 500_000);
  const lineId = await company.came({ day: "2026-03-07", amount: 1_200_000, name: "东方贸易" });
  const answers = await Promise.all([
    claiming(house, clerkA, {
      lineId,
      villageId: a.store.villageId,
      amount: 800_000,
      partyId: one.partyId,
      bills: [one.billId],
    }),
    claiming(house, clerkB, {
      lineId,
      villageId: b.store.villageId,
      amount: 500_000,
      partyId: two.partyId,
      bills: [two.billId],
    }),
  ]);
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400]);
  const refused = answers.find((answer) => answer.status === 400)!;
  expect(refused.body.fields).toEqual([{ field: "amount", msg: "认领金额超过流水未认领余额" }]);
  const line = await company.lineOf(lineId);
  expect([line.claimed + line.free, line.claimed === 800_000 || line.claimed === 500_000]).toEqual([
    1_200_000,
    true,
  ]);
  await noBreaks();
});

test("an undone claim gives the line its money back, and so does the reversal of its flow", async () => {
  const company = await aCompanyAccount(house);
  const of = await owing(a, "南山科技", 300_000);
  const lineId = await company.came({ day: "2026-03-06", amount: 350_000, name: "南山科技" });
  const claim = {
    lineId,
    villageId: a.store.villageId,
    amount: 350_000,
    partyId: of.partyId,
    bills: [of.billId],
  };
  expect((await claiming(house, clerkA, claim)).status).toBe(200);
  // what no bill took is prepaid money
  const prepaid = async () =>
    Number(
      (
        await house.database.pool.query<{ balance: number }>(
          "select balance from party_balance where party_id = $1",
          [of.partyId],
        )
      ).rows[0]!.balance,
    );
  expect(await prepaid()).toBe(50_000);
  const shown = async () => (await company.lineOf(lineId)).claims[0]!;
  const first = await shown();
  const undo = (version: number) =>
    house.ask(
      calls.undoClaim,
      { as: clerkA, key: randomUUID() },
      { params: { id: first.id }, body: { version, reason: "认错客户" } },
    );
  expect((await undo(first.version)).status).toBe(200);
  expect(await company.lineOf(lineId)).toMatchObject({ state: "unclaimed", free: 350_000, claimed: 0 });
  expect([await company.unclaimed(), await prepaid(), (await shown()).state]).toEqual([350_000, 0, "undone"]);
  expect(await outstanding(of.billId)).toBeGreaterThanOrEqual(300_000);
  expect((await undo((await shown()).version)).status).toBe(409);

  expect((await claiming(house, clerkA, claim)).status).toBe(200);
  const again = await shown();
  const flow = await house.database.db
    .selectFrom("flow")
    .select("version")
    .where("id", "=", again.flowId!)
    .executeTakeFirstOrThrow();
  await house.did(
    reverseFlow,
    { as: finance, key: randomUUID() },
    { params: { id: again.flowId! }, body: { version: flow.version, reason: "认错客户" } },
  );
  expect(await company.lineOf(lineId)).toMatchObject({ state: "unclaimed", free: 350_000 });
  expect((await shown()).state).toBe("undone");
  await noBreaks();
});

test("who sees what: an unclaimed line is everybody's, a claimed one that of its stores", async () => {
  const company = await aCompanyAccount(house);
  const of = await owing(a, "西溪餐饮", 100_000);
  const lineId = await company.came({ day: "2026-03-06", amount: 100_000, name: "西溪餐饮" });
  const sees = async (as: typeof clerkA) =>
    (
      await house.did(
        calls.listBankLines,
        { as },
        { query: { tab: "all", merchantAccountId: company.accountId } },
      )
    ).list.map((line) => line.id);
  expect([await sees(clerkA), await sees(clerkB)]).toEqual([[lineId], [lineId]]);
  await claiming(house, clerkA, {
    lineId,
    villageId: a.store.villageId,
    amount: 100_000,
    partyId: of.partyId,
    bills: [of.billId],
  });
  expect([await sees(clerkA), await sees(clerkB), await sees(company.clerk)]).toEqual([
    [lineId],
    [],
    [lineId],
  ]);
  expect((await house.ask(calls.getBankLine, { as: clerkB }, { params: { id: lineId } })).status).toBe(404);
  expect(
    (
      await house.ask(
        calls.previewClaim,
        { as: clerkB },
        { body: { lineId, villageId: a.store.villageId, amount: 1, partyId: of.partyId, wants: [] } },
      )
    ).status,
  ).toBe(404);
});

test("a file is taken once, and back only while nobody has dealt with a line", async () => {
  const company = await aCompanyAccount(house);
  const file = bankFile([
    { day: "2026-03-06", amount: 10_000, name: "甲" },
    { day: "2026-03-06", amount: 20_000, name: "乙" },
    { day: "2026-03-06", amount: 5000, name: "丙", out: true },
  ]);
  const both = await Promise.all([company.send(file), company.send(file)]);
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 400]);
  expect(both.find((one) => one.status === 400)!.message).toMatch(/^该文件已导入（批次 DZ/);
  const taken = both.find((one) => one.status === 200)!.data;
  expect(taken).toMatchObject({ newCount: 3, booked: 2 });
  expect(await company.unclaimed()).toBe(30_000);
  const undo = () =>
    house.ask(
      calls.undoBankLines,
      { as: company.clerk, key: randomUUID() },
      { params: { id: taken.id }, query: { version: 1 } },
    );
  const { list } = await house.did(
    calls.listBankLines,
    { as: company.clerk },
    { query: { tab: "all", merchantAccountId: company.accountId } },
  );
  const { id: useId } = await house.did(
    calls.classifyBankLine,
    { as: company.clerk, key: randomUUID() },
    {
      params: { id: list[0]!.id },
      body: { kind: "interest", amount: 100, note: "利息", version: list[0]!.version },
    },
  );
  expect((await undo()).body.message).toBe("批次内有 1 行已处理，不能撤销");
  await noBreaks();
  // a mark that was taken off holds nothing any more
  await house.did(
    calls.unclassifyBankLine,
    { as: company.clerk },
    { params: { id: list[0]!.id }, body: { useId, reason: "标错了" } },
  );
  expect((await undo()).status).toBe(200);
  expect(await company.unclaimed()).toBe(0);
  await noBreaks();
  const other = await aCompanyAccount(house);
  const sent = await other.send(file);
  // pressed again because the answer was lost, it answers as the first time
  const [pressed, back] = [
    { as: other.clerk, key: randomUUID() },
    { params: { id: sent.data.id }, query: { version: 1 } },
  ];
  const first = await house.did(calls.undoBankLines, pressed, back);
  expect(await house.did(calls.undoBankLines, pressed, back)).toEqual(first);
  expect(await other.unclaimed()).toBe(0);
  expect((await other.send(file)).data).toMatchObject({ newCount: 3, booked: 2 });
  expect(await other.unclaimed()).toBe(30_000);
  await noBreaks();
});
