import { expect, test } from "vitest";
import type { Day } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { bankFile, type Came } from "../corporate/corporate.sample.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import { importStatement } from "../statement/statement.contract.ts";
import * as calls from "./reconcile.contract.ts";
import { sendStatement } from "./reconcile.sample.ts";

const house = await testHouse();
house.setClock("2026-03-14T10:00:00+08:00");
const { db, pool } = house.database;
const counter = await aCounter(house);
const { store, partyId } = counter;
const clerk = await house.person({
  permits: ["25.query", "25.import", "#2501"],
  villages: [store.villageId],
  name: "赵对账",
});
const as = { as: clerk };

type Taken = { day: Day; amount?: number; name?: string; account?: string };
type Told = Omit<Came, "amount"> & { amount?: number };
const AMOUNT = 120_000;

let count = 0;
/** A bank account of its own, with what the store has taken there. */
async function anAccount(taken: readonly Taken[] = []) {
  const no = ++count;
  const id = await addAccount(
    { tx: db },
    {
      enterpriseId: house.enterpriseId,
      name: `银行账户${no}`,
      kind: "bank",
      holderVillageId: store.villageId,
      bankName: "招商银行",
      bankAccountNo: String(622_288_000_012_000 + no),
      statementMode: "reconcile",
    },
  );
  await linkAccount(
    { tx: db },
    { villageId: store.villageId, payType: "bankTransfer", merchantAccountId: id },
  );
  let serial = 0;
  const takes = async ({ day, amount = AMOUNT, name = "", account = "" }: Taken) => {
    const flow = await take(house, store, { ...counter.accounts, bankTransfer: id }, partyId, {
      amount,
      paidAt: `${day}T09:00:00+08:00`,
      channel: "bankTransfer",
      outTradeNo: `ZZ${no}-${++serial}`,
      payerName: name,
    });
    await pool.query("update flow set payer_account = $2 where id = $1", [flow.id, account]);
  };
  for (const each of taken) await takes(each);
  const brings = async (...told: Told[]) => {
    const bytes = bankFile(told.map((line) => ({ amount: AMOUNT, ...line })));
    const { status, message } = await sendStatement(house, importStatement, { ...as, accountId: id, bytes });
    expect([status, message]).toEqual([200, "ok"]);
  };
  const rows = async () =>
    (await house.did(calls.listReconcile, as, { query: { merchantAccountId: id } as never })).list;
  /** What stands together: the day of our flow, and that of the bank's line. */
  const pairs = async () =>
    (await rows())
      .filter(({ result }) => result === "matched")
      .map((row) => [row.paidAt!.slice(5, 10), row.day.slice(5)])
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  return { id, takes, brings, rows, pairs };
}
const HY = "宏远商贸";
const CARD = "6222000011";

test.each<[string, Taken[], Told[], [string, string][]]>([
  [
    "by name, the flow three days before",
    [{ day: "2026-03-07", name: HY }],
    [{ day: "2026-03-10", name: HY }],
    [["03-07", "03-10"]],
  ],
  [
    "by name, the flow three days after",
    [{ day: "2026-03-13", name: HY }],
    [{ day: "2026-03-10", name: HY }],
    [["03-13", "03-10"]],
  ],
  ["not by name four days apart", [{ day: "2026-03-06", name: HY }], [{ day: "2026-03-10", name: HY }], []],
  [
    "by account, whatever the name",
    [{ day: "2026-03-08", name: "张三", account: CARD }],
    [{ day: "2026-03-10", name: HY, account: CARD }],
    [["03-08", "03-10"]],
  ],
  [
    "not by account four days apart",
    [{ day: "2026-03-06", account: CARD }],
    [{ day: "2026-03-10", account: CARD }],
    [],
  ],
  [
    "not by another name on another day",
    [{ day: "2026-03-09", name: "张三" }],
    [{ day: "2026-03-10", name: HY }],
    [],
  ],
  [
    "not another amount, or the other way",
    [{ day: "2026-03-10", name: HY }],
    [
      { day: "2026-03-10", name: HY, amount: AMOUNT + 1 },
      { day: "2026-03-10", name: HY, out: true },
    ],
    [],
  ],
  [
    "two flows of a payer and one line stay open",
    [
      { day: "2026-03-08", name: HY },
      { day: "2026-03-09", name: HY },
    ],
    [{ day: "2026-03-10", name: HY }],
    [],
  ],
  [
    "one flow and two lines of its payer stay open",
    [{ day: "2026-03-09", name: HY }],
    [
      { day: "2026-03-08", name: HY },
      { day: "2026-03-10", name: HY },
    ],
    [],
  ],
  [
    "the name says one flow and the account another",
    [
      { day: "2026-03-08", name: HY },
      { day: "2026-03-09", account: CARD },
    ],
    [{ day: "2026-03-10", name: HY, account: CARD }],
    [],
  ],
  [
    "the same amount on the same day, alone on both sides",
    [{ day: "2026-03-10" }],
    [{ day: "2026-03-10", name: HY }],
    [["03-10", "03-10"]],
  ],
  ["the same amount on the day after", [{ day: "2026-03-09" }], [{ day: "2026-03-10", name: HY }], []],
  ["twice on a day on our side", [{ day: "2026-03-10" }, { day: "2026-03-10" }], [{ day: "2026-03-10" }], []],
  [
    "twice on a day on the bank's side",
    [{ day: "2026-03-10" }],
    [{ day: "2026-03-10" }, { day: "2026-03-10" }],
    [],
  ],
  [
    "who is known goes first, what is left of the day then fits alone",
    [{ day: "2026-03-10", name: HY }, { day: "2026-03-10" }],
    [{ day: "2026-03-10" }, { day: "2026-03-10", name: HY }],
    [
      ["03-10", "03-10"],
      ["03-10", "03-10"],
    ],
  ],
])("a bank that gives no number: %s", async (_, taken, told, wanted) => {
  const of = await anAccount(taken);
  await of.brings(...told);
  expect(await of.pairs()).toEqual(wanted);
  const lines = (await of.rows()).filter((row) => row.occurredAt !== null);
  expect(lines).toHaveLength(told.length);
});

test("a line of an earlier file counts as a candidate too: what fits twice stays open", async () => {
  const of = await anAccount();
  await of.brings({ day: "2026-03-08", name: HY });
  await of.takes({ day: "2026-03-09", name: HY });
  await of.brings({ day: "2026-03-10", name: HY });
  expect(await of.pairs()).toEqual([]);
  const open = await of.rows();
  expect(open.map((row) => row.result).toSorted()).toEqual(["onlyThere", "onlyThere"]);
});

test("what a person has put apart stays apart, however well it fits", async () => {
  const of = await anAccount([{ day: "2026-03-10", name: HY }]);
  await of.brings({ day: "2026-03-10", name: HY });
  const [both] = await of.rows();
  expect(both).toMatchObject({ result: "matched" });
  await house.did(calls.unmatchItem, as, { params: { id: both!.id }, query: { version: both!.version } });
  const run = { merchantAccountId: of.id, from: "2026-03-10", to: "2026-03-10" };
  expect(await house.did(calls.runReconcile, as, { body: run })).toEqual({ open: 2 });
  expect((await of.rows()).map((row) => row.result).toSorted()).toEqual(["onlyHere", "onlyThere"]);
});

test("the same rent of two months under a number of noughts is two lines, each told once", async () => {
  const { id } = await anAccount();
  const file = (...months: string[]) =>
    bankFile(
      months.map((month) => ({ day: `2026-${month}-06`, amount: AMOUNT, name: "王敏", no: "00000000" })),
    );
  const bring = async (bytes: Buffer) =>
    (await sendStatement(house, importStatement, { as: clerk, accountId: id, bytes })).data;
  expect(await bring(file("01"))).toMatchObject({ lineCount: 1, newCount: 1 });
  expect(await bring(file("01", "02"))).toMatchObject({ lineCount: 2, newCount: 1 });
  const { list } = await house.did(calls.listReconcile, as, { query: { merchantAccountId: id } as never });
  expect(list.map((row) => row.day).toSorted()).toEqual(["2026-01-06", "2026-02-06"]);
});

test("of several differences it is said which one cannot be dealt with", async () => {
  const { brings, rows } = await anAccount();
  await brings({ day: "2026-03-10", no: "LS20260310001" }, { day: "2026-03-10", no: "LS20260310002" });
  const all = await rows();
  const done = all.find((row) => row.channelTradeNo === "LS20260310002")!;
  const word = { resolution: "accept" as const, note: "不是我们的" };
  await house.did(calls.resolveItem, as, {
    params: { id: done.id },
    body: { ...word, version: done.version },
  });
  const again = await house.ask(calls.resolveItems, as, { body: { ids: all.map((row) => row.id), ...word } });
  expect(again.body.message).toBe("LS20260310002 该差异已处理");
  expect((await rows()).filter((row) => row.resolution === null)).toHaveLength(1);
});
