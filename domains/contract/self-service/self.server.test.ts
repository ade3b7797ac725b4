import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { LAST4 } from "../esign/esign.sample.ts";
import { getChange, listChanges, supplementFile } from "../moving/moving.contract.ts";
import { getRenewal, listRenewals } from "../renewal/renewal.contract.ts";
import { getSettlement, listSettlements, settlementActs } from "../settlement/settlement.contract.ts";
import { changes, renewals } from "../successor/successor.contract.ts";
import { WAYS, aSuccession } from "../successor/successor.sample.ts";
import {
  countWaiting,
  selfLeave,
  selfMove,
  selfOpen,
  selfPage,
  selfRenew,
  selfTakeBack,
  sendSelfLink,
} from "./self.contract.ts";
import { tellWaiting } from "./self.job.ts";

const house = await testHouse();
const { shop, as, pool, lease, renew, change, room } = await aSuccession(house);
const keeper = await house.person({ permits: ["9.query"], villages: [shop.villageId], name: "何管家" });
const leader = await house.person({ permits: ["9.query"], villages: [shop.villageId], name: "宋店长" });
await pool.query("update village set manager_id = $2 where id = $1", [shop.villageId, leader.operatorId]);
const PAGES = [
  "72.query",
  "72.get",
  "72.edit",
  "73.query",
  "73.get",
  "96.query",
  "96.get",
  "96.edit",
] as const;
const desk = await house.person({
  permits: [...PAGES, "9.query", "236.query", "#7201"],
  villages: [shop.villageId],
});
const elsewhere = await house.person({ permits: [...PAGES, "9.edit", "236.query"], villages: [] });

/** A lease of which the tenant has the link, three months before its end. */
async function linked(day = "2026-01-15T10:00:00+08:00") {
  const old = await lease({ start: "2025-03-15", lateFeeDailyRate: "0" });
  await pool.query(
    "update renter set cert_type = 'idCard', cert_no_masked = $2, verify = 'verified' where id = $1",
    [old.partyId, `310***********${LAST4}`],
  );
  await pool.query("update contract set manager_operator_id = $2 where id = $1", [old.id, keeper.operatorId]);
  house.setClock(day);
  const { path } = await house.did(sendSelfLink, { as }, { body: { contractId: old.id } });
  return { old, params: { token: path.split("/").at(-1)! } };
}
type Params = { token: string };
const body = (more: object = {}) => ({ last4: LAST4, ...more }) as never;
const opened = (params: Params) => house.did(selfOpen, {}, { params, body: body() });
const waiting = (who = desk) => house.did(countWaiting, { as: who });
const told = async (who = keeper) =>
  (await house.did(listMessages, { as: who }, { query: {} })).list.map((m) => m.title);
/** Where the last message leads that whoever looks after the contract heard. */
const leadsTo = async () => {
  const [last] = (await house.did(listMessages, { as: keeper }, { query: {} })).list;
  return [last!.bizType, last!.bizId];
};
const lastSms = async () =>
  (
    await pool.query<{ body: string }>(
      "select body from outbox where channel = 'sms' order by id desc limit 1",
    )
  ).rows[0]!.body;
const LEAVE = { effectiveOn: "2026-02-28", reason: "换了工作，搬到外地" };

describe("the page of a lease", () => {
  test("opens with the last four alone, and says what the lease costs and what is open", async () => {
    const { params } = await linked();
    expect(await house.did(selfPage, {}, { params })).toMatchObject({ name: "张*", last4Of: "certificate" });
    const wrong = await house.ask(selfOpen, {}, { params, body: { last4: "0000" } });
    expect([wrong.status, wrong.body.message]).toEqual([400, "证件号后四位不正确，还可尝试2次"]);
    expect(await opened(params)).toMatchObject({
      start: "2025-03-15",
      end: "2026-03-14",
      rent: 350_000,
      held: 350_000,
      request: null,
      leave: { why: null, first: "2026-01-15", last: "2026-03-14" },
      renew: { why: null, start: "2026-03-15" },
      move: { why: null, first: "2026-01-15", last: "2026-03-14" },
    });
    for (let n = 0; n < 2; n++) await house.ask(selfOpen, {}, { params, body: { last4: "0000" } });
    expect((await house.ask(selfOpen, {}, { params, body: { last4: "0000" } })).status).toBe(423);
    expect((await house.ask(selfOpen, {}, { params, body: body() })).status).toBe(423);
  });

  test("a new link, a month and the end of the lease each close the one before; another store sends none", async () => {
    const { old, params } = await linked();
    const again = await house.did(sendSelfLink, { as }, { body: { contractId: old.id } });
    const said = async (p: Params) => (await house.ask(selfPage, {}, { params: p })).body.message;
    expect(await said(params)).toBe("链接已失效，请使用新链接或联系管家");
    house.setClock("2026-02-15T10:00:00+08:00");
    expect(await said({ token: again.path.split("/").at(-1)! })).toBe("链接已过期，请联系管家重新发送");
    const foreign = await house.ask(sendSelfLink, { as: elsewhere }, { body: { contractId: old.id } });
    expect(foreign.status).toBe(404);
    await pool.query("update contract set state = 'ended' where id = $1", [old.id]);
    const over = await house.ask(sendSelfLink, { as }, { body: { contractId: old.id } });
    expect([over.status, over.body.message]).toEqual([409, "合同不在租，不能发送自助链接"]);
    expect((await house.ask(selfPage, {}, { params: { token: "x".repeat(22) } })).status).toBe(404);
  });
});

describe("leaving", () => {
  test("waits in the list and the badge, keeper and store hear of it; taken up, it is an ordinary settlement", async () => {
    const { old, params } = await linked();
    const before = (await waiting()).settle;
    const { actNo } = await house.did(selfLeave, {}, { params, body: body(LEAVE) });
    expect(actNo).toMatch(/^TF/);
    expect((await waiting()).settle).toBe(before + 1);
    expect((await waiting(elsewhere)).settle).toBe(0);
    for (const who of [keeper, leader]) expect((await told(who))[0]).toMatch(/申请退房$/);
    const { list } = await house.did(listSettlements, { as: desk }, { query: { tab: "requested" } });
    const row = list.find((r) => r.contractId === old.id)!;
    expect(await leadsTo()).toEqual(["settlement", row.id]);
    expect(row).toMatchObject({ actNo, source: "renter", state: "requested", endReason: "early" });
    expect(await opened(params)).toMatchObject({
      request: { actNo, title: "退房", waits: true, ...LEAVE },
      leave: { why: "您有正在办理的申请，办结后可以再次提交" },
    });
    const twice = await house.ask(selfMove, {}, { params, body: body(LEAVE) });
    expect([twice.status, twice.body.reason]).toEqual([409, "actOpen"]);

    const seen = { params: { id: row.id }, body: { version: row.version } };
    await house.did(settlementActs.accept, { as: desk }, seen);
    expect(await lastSms()).toContain(`退房申请（${actNo}）已受理`);
    const detail = await house.did(getSettlement, { as: desk }, { params: { id: row.id } });
    expect(detail).toMatchObject({
      state: "inspecting",
      draft: { ...LEAVE, endReason: "early", noticeOn: "2026-01-15" },
    });
    const late = await house.ask(selfTakeBack, {}, { params, body: body() });
    expect(late.body.message).toBe("管家已处理您的申请，不能撤回，请联系管家");
    expect((await waiting()).settle).toBe(before);
  });

  test("is refused with a reason that the tenant reads, and asked for anew; or taken back while it waits", async () => {
    const { old, params } = await linked();
    const rowOf = async () =>
      (await house.did(listSettlements, { as: desk }, { query: { contractId: old.id } })).list[0]!;
    await house.did(selfLeave, {}, { params, body: body(LEAVE) });
    const { id, version, actNo } = await rowOf();
    const short = await house.ask(
      settlementActs.reject,
      { as: desk },
      {
        params: { id },
        body: { version, reason: "否" },
      },
    );
    expect(short.status).toBe(400);
    await house.did(
      settlementActs.reject,
      { as: desk },
      {
        params: { id },
        body: { version, reason: "请提前三十天提出" },
      },
    );
    expect(await lastSms()).toContain(`退房申请（${actNo}）未通过：请提前三十天提出`);
    expect((await opened(params)).refused).toMatchObject({ actNo, reason: "请提前三十天提出" });

    await house.did(selfLeave, {}, { params, body: body(LEAVE) });
    const again = await house.did(selfTakeBack, {}, { params, body: body() });
    expect((await rowOf()).state).toBe("cancelled");
    expect((await told())[0]).toMatch(/撤回了退房申请$/);
    expect(again.actNo).not.toBe(actNo);
    expect((await house.ask(selfTakeBack, {}, { params, body: body() })).body.message).toBe(
      "没有可以撤回的申请",
    );
    const { rows } = await pool.query(
      "select count(*)::int n from room_leaving where contract_id = $1 and ended_on is null",
      [old.id],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  test("not before today, not after the end; two who ask at once make one", async () => {
    const { params } = await linked();
    const said = async (effectiveOn: string) =>
      (await house.ask(selfLeave, {}, { params, body: body({ ...LEAVE, effectiveOn }) })).body.fields?.[0]
        ?.msg;
    expect(await said("2026-01-14")).toBe("退房日不能早于今天");
    expect(await said("2026-03-15")).toBe("退房日不能晚于到期日 2026-03-14");
    const both = await Promise.all([1, 2].map(() => house.ask(selfLeave, {}, { params, body: body(LEAVE) })));
    expect(both.map((a) => a.status).toSorted()).toEqual([200, 409]);
  });
});

describe("staying", () => {
  test("is asked for in months; the renewal that is drawn answers the request, and no second act begins", async () => {
    const { old, params } = await linked();
    const { actNo } = await house.did(
      selfRenew,
      {},
      { params, body: body({ months: 6, note: "希望不涨价" }) },
    );
    expect(await leadsTo()).toEqual(["renewalDesk", old.id]);
    const { list } = await house.did(listRenewals, { as: desk }, { query: { tab: "requested" } });
    expect(list.find((r) => r.id === old.id)).toMatchObject({
      actNo,
      state: "requested",
      intent: "willing",
      wanted: 6,
      newId: null,
    });
    expect((await house.did(getRenewal, { as: desk }, { params: { id: old.id } })).asked).toBe(
      "续租 6 个月，希望不涨价",
    );
    const other = await house.ask(
      changes.ask,
      { as },
      {
        body: {
          ...WAYS,
          contractId: old.id,
          kind: "room",
          effectiveOn: "2026-02-01",
          roomId: await room(350_000),
        },
      },
    );
    expect([other.status, other.body.reason]).toEqual([409, "actOpen"]);

    const made = await renew({ contractId: old.id, end: "2026-09-14" });
    expect(made.actNo).toBe(actNo);
    expect(await lastSms()).toContain(`续租申请（${actNo}）已受理`);
    expect((await opened(params)).request).toMatchObject({ actNo, state: "handling", waits: false });
    await house.did(
      renewals.cancel,
      { as },
      {
        params: { id: made.id },
        body: { version: made.version, reason: "条件没有谈拢" },
      },
    );
    expect((await opened(params)).renew.why).toBeNull();
  });

  test("is refused with a reason; too early and with a wrong version it is not", async () => {
    const { old, params } = await linked();
    const early = await linked("2025-12-01T10:00:00+08:00");
    const no = await house.ask(selfRenew, {}, { params: early.params, body: body({ months: 12 }) });
    expect([no.status, no.body.message]).toEqual([409, "距到期还有 103 天，未到可续租时间"]);
    house.setClock("2026-01-15T10:00:00+08:00");
    await house.did(selfRenew, {}, { params, body: body({ months: 12 }) });
    const { rows } = await pool.query("select id::int, version from contract_act where contract_id = $1", [
      old.id,
    ]);
    const reject = (version: number) =>
      house.ask(
        renewals.reject,
        { as },
        {
          params: { id: rows[0].id },
          body: { version, reason: "房屋要收回自用" },
        },
      );
    expect((await reject(9)).status).toBe(409);
    expect((await reject(rows[0].version)).status).toBe(200);
    expect((await reject(rows[0].version + 1)).body.message).toBe("当前状态为“已驳回”，不能驳回");
    expect(await lastSms()).toContain("未通过：房屋要收回自用");
    const { list } = await house.did(listRenewals, { as: desk }, { query: { tab: "cancelled" } });
    expect(list.find((r) => r.id === old.id)?.id).toBe(old.id);
  });
});

describe("moving", () => {
  test("is wished for in words from a day; the change that is drawn answers it", async () => {
    const { old, params } = await linked();
    const wish = { effectiveOn: "2026-02-10", reason: "想换一间朝南的" };
    const far = await house.ask(selfMove, {}, { params, body: body({ ...wish, effectiveOn: "2026-03-15" }) });
    expect(far.body.fields?.[0]?.msg).toBe("入住日须在 2026-01-15 至 2026-03-14 之间");
    const { actNo } = await house.did(selfMove, {}, { params, body: body(wish) });
    const { list } = await house.did(
      listChanges,
      { as: desk },
      { query: { kind: "room", tab: "requested" } },
    );
    const row = list.find((r) => r.contractId === old.id)!;
    expect(row).toMatchObject({ actNo, source: "renter", ...wish, nextId: null });
    expect(await leadsTo()).toEqual(["changeRoom", row.id]);
    expect(await house.did(getChange, { as: desk }, { params: { id: row.id } })).toMatchObject(wish);
    const early = await house.ask(changes.preview, { as }, { params: { id: row.id }, body: {} });
    expect([early.status, early.body.message]).toEqual([409, "请先受理租客的申请"]);
    const paper = await house.ask(supplementFile, { as: desk }, { params: { id: row.id } });
    expect([paper.status, paper.body.message]).toEqual([409, "请先受理租客的申请"]);
    const to = { roomId: await room(350_000), reason: "按租客要求换房" };
    const made = await change({ contractId: old.id, kind: "room", effectiveOn: "2026-02-10", ...to });
    expect(made).toMatchObject({ id: row.id, actNo });
  });
});

test("what still waits near its day is told again: fifteen days before, and once for each day", async () => {
  const { params } = await linked();
  const leave = { ...LEAVE, effectiveOn: "2026-03-10" };
  const { actNo } = await house.did(selfLeave, {}, { params, body: body(leave) });
  const heard = async (who = keeper) => (await told(who)).filter((title) => title.includes(actNo));
  await acting(house, tellWaiting);
  house.setClock("2026-02-22T10:00:00+08:00");
  await acting(house, tellWaiting);
  expect(await heard()).toEqual([]);
  house.setClock("2026-02-23T10:00:00+08:00");
  for (let n = 0; n < 2; n++) await acting(house, tellWaiting);
  const now = [`退房申请 ${actNo} 待受理，距 2026-03-10 还有 15 天`];
  expect([await heard(), await heard(leader)]).toEqual([now, now]);
});

test("the database keeps no request that leads to a contract already", async () => {
  const { old, params } = await linked();
  await house.did(selfRenew, {}, { params, body: body({ months: 12 }) });
  await expect(
    pool.query("update contract_act set result_contract_id = $1 where contract_id = $1", [old.id]),
  ).rejects.toThrow("contract_act_waits");
});
