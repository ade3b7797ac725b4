import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { type Accounts, someAccounts, take } from "../flow/flow.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import {
  cancelRefund,
  confirmRefund,
  failRefund,
  payoutFile,
  payRefunds,
  refundRoutes,
  refundSources,
  rerouteRefund,
} from "./refund.contract.ts";
import { APPLYING, applying, BANK, onRefund, PAYING, refundOf } from "./refund.sample.ts";
import { applyRefund, takeBack } from "./refund.service.ts";

const house = await testHouse();
const { pool } = house.database;
house.setClock("2026-03-20T10:00:00+08:00");
const paidAt = "2026-03-19T09:00:00+08:00";
let a: Store, accounts: Accounts, clerk: Person, boss: Person, asked: Person, admin: Person;
beforeAll(async () => {
  a = await aStore(house);
  accounts = await someAccounts(house, a);
  const villages = [a.villageId];
  clerk = await house.person({ permits: APPLYING, villages });
  boss = await house.person({ permits: PAYING, villages });
  asked = await house.person({ permits: ["108.query"], villages, name: "罗佳宁" });
  admin = await house.person({ superType: "1", name: "许承锦" });
});

const asClerk = () => ({ operatorId: clerk.operatorId, villages: [a.villageId] });

/** Prepaid money of somebody, of which all was asked back and is owed, or waits for approval. */
async function askedBack(name: string, amount = 100_000) {
  const partyId = await aParty(house, name, { villageId: a.villageId });
  await take(house, a, accounts, partyId, { amount, channel: "cash", paidAt });
  const of = { source: "prepaid" as const, sourceId: partyId, villageId: a.villageId, partyId, amount };
  const { body } = await applying(house, clerk, of);
  return { ...of, id: body.data.id, waiting: body.data.waiting };
}
const paper = async (as: Person) =>
  (await sendFile(house, as, { name: "证明.pdf", bytes: aPdf(), type: "application/pdf" }, "paper10M")).body
    .data.id;
const OTHER = { ...BANK, payeeName: "赵六", relation: "父亲" };
const examinesOf = async (id: number) =>
  (
    await pool.query(
      "select id::int, state from examine where target_kind = 'refund' and target_id = $1 order by id",
      [id],
    )
  ).rows as { id: number; state: string }[];
const decide = async (examineId: number, decision: "approve" | "reject") => {
  const { version } = await house.did(getExamine, { as: asked }, { params: { id: examineId } });
  const how = { as: asked, key: randomUUID() };
  const body = { decision, version, comment: "不同意" };
  return house.ask(decideExamine, how, { params: { id: examineId }, body: body as never });
};

test("another payee needs a paper of this refund: it hangs there, and whoever pays reads it", async () => {
  const { id } = await askedBack("张三");
  expect((await onRefund(house, boss, rerouteRefund, id, OTHER)).body.fields).toEqual([
    { field: "fileIds", msg: "收款人与客户不一致，请上传证明" },
  ]);
  const strange = await paper(boss);
  await pool.query("update stored_file set target_kind = 'claim', target_id = 1 where id = $1", [strange]);
  expect((await onRefund(house, boss, rerouteRefund, id, { ...OTHER, fileIds: [strange] })).status).toBe(404);
  expect((await refundOf(house, boss, id)).payeeName).toBe("张三");
  const fileIds = [await paper(boss)];
  const { body } = await onRefund(house, boss, rerouteRefund, id, { ...OTHER, fileIds });
  expect(body).toMatchObject({ code: 200, data: { waiting: null } });
  const { payeeName, relation, files } = await refundOf(house, boss, id);
  expect({ payeeName, relation, files: files.map((f) => f.id) }).toEqual({
    payeeName: "赵六",
    relation: "父亲",
    files: fileIds,
  });
  for (const as of [boss, clerk])
    expect((await house.ask(getFile, { as }, { params: { id: fileIds[0]! } })).status).toBe(200);
});

test("a payment file that the bank did not carry out is given anew or has failed, and the money goes another way", async () => {
  const { id, amount } = await askedBack("李四");
  const file = async () => {
    const { version } = await refundOf(house, boss, id);
    return house.ask(payoutFile, { as: boss }, { body: { items: [{ id, version }] } });
  };
  expect((await onRefund(house, boss, failRefund, id, { reason: "户名不符" })).body.message).toContain(
    "不能付款失败",
  );
  for (const _ of [1, 2]) expect((await file()).raw.toString()).toContain("李四");
  expect((await refundOf(house, boss, id)).state).toBe("paying");
  expect((await onRefund(house, boss, failRefund, id, { reason: "户名不符" })).status).toBe(200);
  expect(await refundOf(house, boss, id)).toMatchObject({ state: "failed", paid: 0, failure: "户名不符" });
  expect((await onRefund(house, boss, rerouteRefund, id, BANK)).status).toBe(200);
  const paying = { merchantAccountId: accounts.bankTransfer, fileIds: [await paper(boss)] };
  expect((await onRefund(house, boss, confirmRefund, id, paying)).status).toBe(200);
  expect(await refundOf(house, boss, id)).toMatchObject({ state: "paid", paid: amount });
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("of many that are paid together the one that cannot be is named", async () => {
  const { id } = await askedBack("郑一");
  const { refundNo, version } = await refundOf(house, boss, id);
  const body = { items: [{ id, version: version + 1 }] };
  const { status, body: said } = await house.ask(payRefunds, { as: boss, key: randomUUID() }, { body });
  expect([status, said.message]).toEqual([409, `${refundNo}：数据已被他人修改，请刷新后重试`]);
});

test("what is owed already is cancelled by who pays, no more by who applied", async () => {
  const { id } = await askedBack("吴九");
  const cancel = (as: Person) => onRefund(house, as, cancelRefund, id, { reason: "客户不退了" });
  expect((await refundOf(house, clerk, id)).state).toBe("toPay");
  expect((await cancel(clerk)).status).toBe(403);
  expect((await refundOf(house, clerk, id)).state).toBe("toPay");
  expect((await cancel(boss)).status).toBe(200);
  expect((await refundOf(house, clerk, id)).state).toBe("cancelled");
});

test("what a waiting settlement will give back of deposit and prepaid money is not free, to the fen", async () => {
  const partyId = await aParty(house, "赵敏", { villageId: a.villageId });
  const contractId = await aContract(house, a, partyId, { no: "HT20260101-000078" });
  const bill = await aBill(house, a, partyId, {
    contractId,
    lines: [aLine("deposit", 300_000, { slices: [] })],
  });
  await take(house, a, accounts, partyId, { amount: 300_000, channel: "cash", paidAt, bills: [bill] });
  await take(house, a, accounts, partyId, { amount: 100_000, channel: "cash", paidAt });
  await aModule(house, admin, {
    moduleType: "refund",
    name: "退款审批",
    villageIds: [a.villageId],
    fallback: asked,
    processes: [otherwise(asking("店长", [asked]))],
  });
  const { villageId } = a;
  const deposit = { source: "deposit" as const, sourceId: contractId, villageId, partyId, amount: 50_000 };
  const direct = (await applying(house, clerk, deposit)).body.data;
  expect(direct.waiting).toMatch(/^SP/);
  const settle = (amount: number) =>
    acting(
      house,
      (act) =>
        applyRefund(act, {
          source: "settlement",
          sourceId: contractId,
          villageId,
          amount,
          reason: "退房",
          later: true,
        }),
      asClerk(),
    );
  await expect(settle(350_001)).rejects.toMatchObject({ fields: [{ msg: "退款金额超过可退余额" }] });
  const settlement = await settle(300_000);
  // 250,000 of the deposit and 50,000 of the prepaid money
  const free = async () =>
    (await house.did(refundSources, { as: clerk }, { query: { partyId } })).map((s) => [
      s.source,
      s.available,
    ]);
  expect(await free()).toEqual([
    ["prepaid", 50_000],
    ["deposit", 0],
  ]);
  const shown = (source: "deposit" | "prepaid", sourceId: number) =>
    house.did(refundRoutes, { as: clerk }, { query: { source, sourceId, villageId, amount: 1 } });
  expect([
    (await shown("deposit", contractId)).available,
    (await shown("prepaid", partyId)).available,
  ]).toEqual([0, 50_000]);
  // whichever is approved first, the other still gets its money
  const [one] = await examinesOf(settlement.id);
  expect((await decide(one!.id, "approve")).status).toBe(200);
  const parts = (await refundOf(house, clerk, settlement.id)).parts.map((p) => p.amount);
  expect(parts).toEqual([250_000, 50_000]);
  const [other] = await examinesOf(direct.id);
  expect((await decide(other!.id, "approve")).status).toBe(200);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("another payee of an approved refund waits for approval; until then nothing is paid, refused nothing changes", async () => {
  const { id, waiting } = await askedBack("孙七");
  expect(waiting).toMatch(/^SP/);
  await decide((await examinesOf(id))[0]!.id, "approve");
  const to = async (name: string) =>
    onRefund(house, boss, rerouteRefund, id, { ...OTHER, payeeName: name, fileIds: [await paper(boss)] });
  expect((await to("赵六")).body.data.waiting).toMatch(/^SP/);
  expect(await refundOf(house, boss, id)).toMatchObject({ state: "toPay", payeeName: "孙七", frozen: true });
  const paying = { merchantAccountId: accounts.bankTransfer, fileIds: [await paper(boss)] };
  expect((await onRefund(house, boss, confirmRefund, id, paying)).body.reason).toBe("frozen");
  expect((await decide((await examinesOf(id))[1]!.id, "reject")).status).toBe(200);
  await house.deliver();
  expect(await refundOf(house, boss, id)).toMatchObject({ state: "toPay", payeeName: "孙七", frozen: false });
  expect((await to("赵六")).body.data.waiting).toMatch(/^SP/);
  expect((await decide((await examinesOf(id))[2]!.id, "approve")).status).toBe(200);
  expect(await refundOf(house, boss, id)).toMatchObject({ state: "toPay", payeeName: "赵六", frozen: false });
  expect((await onRefund(house, boss, confirmRefund, id, paying)).status).toBe(200);
});

test("taken back by what it came of, a waiting refund leaves no approval behind", async () => {
  const { id } = await askedBack("周八");
  await acting(house, (act) => takeBack(act, id, "撤销退房结算"), asClerk());
  expect(await examinesOf(id)).toMatchObject([{ state: "void" }]);
  expect((await refundOf(house, clerk, id)).state).toBe("cancelled");
});
