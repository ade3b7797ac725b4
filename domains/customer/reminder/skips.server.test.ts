import { beforeEach, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aContract } from "../../finance/bill/bill.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { reminding } from "./reminder.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
house.setClock(`${TODAY}T10:00:00+08:00`);
const { pool } = house.database;
let at: Awaited<ReturnType<typeof reminding>>;
beforeEach(async () => {
  await pool.query("update reminder_rule set enabled = false");
  at = await reminding(house, TODAY);
});

const skippedBy = async (id: number) => (await at.preview(id)).skipped;

test("who has paid is no matter; who disputes, promised or cannot be reached is left out and counted", async () => {
  await at.debtor("甲", 3);
  const paid = await at.debtor("付清", 3);
  const disputed = await at.debtor("争议", 3);
  const promised = await at.debtor("承诺", 3);
  const kept = await at.debtor("到了承诺日", 3);
  const black = await at.debtor("黑名单", 3);
  const out = await at.debtor("退订", 3, { phone: "13600000001" });
  await at.debtor("无号", 3, { phone: "" });
  await pool.query("update bill set settled = amount where id = $1", [paid.billId]);
  await pool.query("update bill set disputed_from = '2026-11-19' where id = $1", [disputed.billId]);
  const promise = (partyId: number, day: string) =>
    pool.query(
      "insert into owing_follow (party_id, village_id, promise_day, note) values ($1, $2, $3, '答应付款')",
      [partyId, at.store.villageId, day],
    );
  await promise(promised.partyId, "2026-11-21");
  await promise(kept.partyId, TODAY);
  await pool.query(
    `insert into black_list (enterprise_id, name, phone, level, reason)
     select enterprise_id, name, phone, 'forbid', '损坏设施' from party where id = $1`,
    [black.partyId],
  );
  await pool.query("insert into push_opt_out (enterprise_id, address_hash, at) values ($1, $2, now())", [
    house.enterpriseId,
    house.cipher.hash("13600000001"),
  ]);
  const id = await at.rule();
  const { people, skipped } = await at.preview(id);
  expect(people).toBe(2);
  expect(skipped.toSorted((a, b) => a.reason.localeCompare(b.reason, "zh"))).toEqual(
    ["承诺付款", "黑名单", "无手机号", "已退订", "有争议"]
      .map((reason) => ({ reason, count: 1 }))
      .toSorted((a, b) => a.reason.localeCompare(b.reason, "zh")),
  );
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 2, who: 2 });
  expect(out.partyId).toBeGreaterThan(0);
  // a rule that does not stop for a dispute or a promise
  const strict = await at.rule({ stopOn: [] });
  expect((await at.preview(strict)).people).toBe(4);
});

test("a payer with 3 bills gets one message naming 3, or three where they are not merged", async () => {
  const { partyId } = await at.debtor("甲", 3);
  await at.debtor("甲", 3, { partyId });
  await at.debtor("甲", 7, { partyId });
  const merged = await at.rule({ offsets: [3, 7] });
  const { people, messages, sample } = await at.preview(merged);
  expect([people, messages]).toEqual([1, 1]);
  expect(sample[0]!.text).toContain("3笔账单共4,500.00元已逾期7天");
  expect(sample[0]!.day).toBe("后 7 天、后 3 天");
  const apart = await at.rule({ offsets: [3, 7], mergePerPayer: false });
  expect(await at.preview(apart)).toMatchObject({ people: 1, messages: 3 });
  await at.run("reminder.due");
  expect([(await at.sent(merged)).n, (await at.sent(apart)).n]).toEqual([1, 3]);
});

test("what is paid between the preview and the sending is not asked for", async () => {
  const { billId } = await at.debtor("甲", 3);
  const id = await at.rule();
  expect((await at.preview(id)).people).toBe(1);
  await pool.query("update bill set settled = amount where id = $1", [billId]);
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 0, who: 0 });
});

test("nobody gets more than so many a month", async () => {
  const { partyId } = await at.debtor("甲", 3);
  await at.debtor("甲", 3, { partyId });
  await at.debtor("乙", 3);
  const id = await at.rule({ mergePerPayer: false, monthlyCap: 1 });
  expect(await at.preview(id)).toMatchObject({ people: 2, messages: 2 });
  expect(await skippedBy(id)).toEqual([{ reason: "已达每月上限", count: 1 }]);
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 2, who: 2 });
  // other rules count as well: the ceiling is a person's
  const other = await at.rule({ monthlyCap: 1 });
  expect(await at.preview(other)).toMatchObject({ people: 0 });
  const wide = await at.rule({ monthlyCap: 2 });
  expect(await at.preview(wide)).toMatchObject({ people: 2 });
});

test("only the stores of the rule, the kinds of its receivers and its own days count", async () => {
  await at.debtor("甲", 3);
  await pool.query(
    "update party set kind = 'company' where name = '甲' and id = (select max(id) from party)",
  );
  expect((await at.preview(await at.rule())).people).toBe(0);
  expect((await at.preview(await at.rule({ receivers: ["renter", "company"] }))).people).toBe(1);
  const elsewhere = await aVillage(house);
  const whole = await house.person({ superType: "1" });
  const there = await at.rule({ villageIds: [elsewhere], receivers: ["company"] }, whole);
  expect((await at.preview(there, whole)).people).toBe(0);
});

test("a contract that ends is spoken of unless the next one is signed", async () => {
  const { partyId } = await at.debtor("甲", 40);
  const ends = "2026-12-20";
  const contract = await aContract(house, at.store, partyId, { end: ends });
  const id = await at.rule({
    event: "contractEnd",
    offsets: [-30, -7],
    templateIds: {
      sms: await at.template({
        event: "contractEnd",
        body: "{姓名}您好，{合同编号}将于{到期日}到期，还有{剩余天数}天",
      }),
    },
  });
  const { sample, people } = await at.preview(id);
  expect(people).toBe(1);
  expect(sample[0]!.text).toMatch(/^甲您好，HT20260101-\d{6}将于2026-12-20到期，还有30天$/);
  await pool.query("update contract set leave_date = '2026-11-19' where id = $1", [contract]);
  expect((await at.preview(id)).people).toBe(0);
});

test("staff of a role hear once a day what there is in their stores", async () => {
  await at.debtor("甲", 3);
  await at.debtor("乙", 3);
  const boss = await house.person({ permits: ["26.query"], villages: [at.store.villageId], name: "陈嘉禾" });
  const stranger = await house.person({ permits: ["26.query"], name: "王强" });
  const { rows } = await pool.query<{ role_id: number }>(
    "select role_id from operator_assignment where operator_id = any($1) order by operator_id",
    [[boss.operatorId, stranger.operatorId]],
  );
  const id = await at.rule({ receivers: ["renter", "operator"], roleIds: rows.map((r) => r.role_id) });
  expect(await at.preview(id)).toMatchObject({ people: 2, operators: 1 });
  await at.run("reminder.due");
  await pool.query("update reminder_rule set ran_on = null");
  await at.run("reminder.due");
  const told = await pool.query(
    `select r.operator_id id, m.title from message m join message_receipt r on r.message_id = m.id
     where m.once_key like 'rule.%' order by 1`,
  );
  expect(told.rows).toEqual([{ id: boss.operatorId, title: expect.stringMatching(/ 账单逾期 2 笔$/) }]);
});
