import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import type { ActCalls } from "../act/act.contract.ts";
import { aForm, aRenter, aRoom, aScan, signed } from "../contract/contract.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import {
  actSignings,
  cancelActSigning,
  openSigning,
  refuseSigning,
  resendActSigning,
  setSeal,
  signByParty,
  signDocument,
  signPage,
  signResult,
  startActSigning,
  waitingSeals,
} from "../esign/esign.contract.ts";
import jobs from "../esign/esign.job.ts";
import { identified, LAST4, partySigns, phoneOf, readyToSign } from "../esign/esign.sample.ts";
import { addRoomsActs } from "../room-change/room-change.contract.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { listSealUses } from "../seal/seal.contract.ts";
import { amendActs, getChange } from "./amendment.contract.ts";
import { anAmender } from "./amendment.sample.ts";

const house = await testHouse({ poolSize: 12 });
const at = await anAmender(house);
const { shop, as, pool } = at;
const keeper = await house.person({ permits: ["95.query"], villages: [shop.villageId], name: "何印" });
await aSeal(house, { villageIds: [shop.villageId], operatorIds: [keeper.operatorId] });
let rooms = 0;

/** E3 of the trade: 押一付三 at 3,500.00 for a year from 15 March 2026, three bills paid; its tenant has a certificate. */
async function lease(paid = 3) {
  at.on("2026-03-12");
  const roomId = await aRoom(house, shop.building, `E${++rooms}`);
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const { id } = await signed(house, as, aForm({ ...shop, roomId, partyId }), "2026-03-12");
  const bills = await at.bills(id);
  await at.pay(
    partyId,
    bills.slice(0, paid).map((b) => b.id),
  );
  at.on("2026-07-20");
  return { id, partyId, roomId };
}
const cheaper = {
  effectiveOn: "2026-08-01",
  reason: "协商降租",
  rises: [{ fromDate: "2026-08-01", rent: 330_000 }],
};
const detail = (id: number) => house.did(getChange, { as }, { params: { id } });
const signings = (id: number) => house.did(actSignings, { as }, { params: { id } });
const versionOf = async (id: number) => (await detail(id)).version;

/** An act that was handed in, at the version at which it can be sent. */
async function handedIn(calls: ActCalls, contractId: number, draft: object) {
  const { id } = await house.did(calls.ask, { as }, { body: { contractId, ...draft } as never });
  const params = { id };
  const { previewHash } = (await house.did(calls.preview, { as }, { params, body: {} })) as {
    previewHash: string;
  };
  const body = { version: await versionOf(id), previewHash };
  const { version } = await house.did(calls.submit, { as }, { params, body });
  return { id, version, previewHash };
}
const send = async ({ id, ...body }: Awaited<ReturnType<typeof handedIn>>) => {
  const { links } = await house.did(startActSigning, { as }, { params: { id }, body });
  return links[0]!.path.split("/").at(-1)!;
};
const seal = async (id: number) =>
  house.ask(setSeal, { as: keeper }, { params: { id: (await signings(id))[0]!.id }, body: {} });
const saidOf = async (answer: Promise<{ status: number; body: { message: string } }>) => {
  const { status, body } = await answer;
  return [status, body.message];
};
const page = (token: string) => house.ask(signPage, {}, { params: { token } });

describe("a supplement that is signed electronically", () => {
  test("E15: what was shown on the phone is booked with the seal, and the file is kept and archived", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    const token = await send(act);
    expect(await page(token)).toMatchObject({ body: { data: { title: "租赁合同补充协议", noun: "协议" } } });
    const { device } = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
    const shown = await house.did(signDocument, {}, { params: { token }, query: { device } });
    expect(shown.facts.map((f) => f.value)).toContain("290.32 元");
    expect(shown.consent.text).toBe("我已阅读并同意本协议及电子签署约定");
    const table = shown.blocks.find((b) => b.kind === "table")!;
    expect(table.rows!.map((r) => r.slice(2))).toEqual([
      ["10,500.00", "10,209.68"],
      ["10,500.00", "9,900.00"],
      ["10,500.00", "9,900.00"],
    ]);
    const key = await partySigns(house, token, partyId);
    expect((await at.bills(id)).map((b) => b.net)).toEqual([
      350_000, 1_050_000, 1_050_000, 1_050_000, 1_050_000,
    ]);
    const { list } = await house.did(waitingSeals, { as: keeper }, { query: {} });
    const { actNo } = await detail(act.id);
    expect(list).toMatchObject([{ contractId: id, docKind: "supplement", actNo }]);
    expect((await seal(act.id)).body).toMatchObject({ code: 200, data: { state: "done", number: actNo } });

    expect((await at.bills(id)).map((b) => [b.due, b.net, b.settled])).toEqual([
      ["2026-03-12", 350_000, 350_000],
      ["2026-03-12", 1_050_000, 1_050_000],
      ["2026-06-08", 1_020_968, 1_020_968],
      ["2026-09-08", 990_000, 29_032],
      ["2026-12-08", 990_000, 0],
    ]);
    expect(await at.contract(id)).toMatchObject({ monthlyRent: 330_000, termsVersion: 2 });
    expect(await at.sound()).toEqual([]);
    expect(await detail(act.id)).toMatchObject({ state: "done", agreedHow: "page", signing: false });
    expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({
      kind: "done",
      noun: "协议",
      due: [],
      fileState: "ready",
    });
    const { rows } = await pool.query(
      "select doc_kind, medium, state from contract_archive where contract_id = $1 order by id",
      [id],
    );
    expect(rows).toEqual([
      { doc_kind: "renterContract", medium: "paper", state: "pending" },
      { doc_kind: "supplement", medium: "electronic", state: "archived" },
    ]);
    const uses = await house.did(listSealUses, { as: keeper }, { query: {} });
    expect(uses.list.map((u) => u.title)).toEqual([`租赁合同补充协议 ${actNo}`]);
    expect(await signings(act.id)).toMatchObject([
      { docKind: "supplement", state: "done", signers: [{ role: "party" }, { role: "enterprise" }] },
    ]);
  });

  test("E17: a room joins with the company's signature, its deposit and first rent due that day", async () => {
    at.on("2026-03-01");
    const ids = await someRooms(house, shop, ["F1", "F2", "F3"]);
    const form = aCompanyForm(shop, ids.slice(0, 2), { rent: 180_000, start: "2026-03-01", cycleMonths: 3 });
    const { id } = await signed(house, as, form, "2026-03-01");
    at.on("2026-04-08");
    const act = await handedIn(addRoomsActs as unknown as ActCalls, id, {
      effectiveOn: "2026-04-10",
      reason: "增加员工",
      rooms: [{ roomId: ids[2], monthlyRent: 180_000 }],
    });
    const token = await send(act);
    const { rows } = await pool.query("select credit_code code from firm where id = $1", [shop.companyId]);
    const key = await partySigns(house, token, shop.companyId, rows[0].code.slice(-4));
    const result = await house.did(signResult, {}, { query: { key } });
    expect([result.kind, result.due.map((d) => d.amount), result.dueTotal]).toEqual([
      "sealing",
      [180_000, 306_000],
      486_000,
    ]);
    expect((await seal(act.id)).body).toMatchObject({ data: { state: "done" } });
    const joined = (await at.bills(id)).filter((b) => b.due === "2026-04-08");
    expect(joined.map((b) => b.net)).toEqual([180_000, 306_000]);
    expect(await at.rooms(id)).toHaveLength(3);
    expect(await at.sound()).toEqual([]);
  });

  test("on two phones is signed once", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    const token = await send(act);
    const body = await readyToSign(house, token, partyId);
    const { device } = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
    const answers = await Promise.all(
      [body, { ...body, device }].map((b) => house.ask(signByParty, {}, { params: { token }, body: b })),
    );
    expect(answers.map((a) => a.status)).toEqual([200, 200]);
    const both = await Promise.all([seal(act.id), seal(act.id)]);
    expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
    expect(await at.contract(id)).toMatchObject({ monthlyRent: 330_000, termsVersion: 2 });
  });

  test("beside a payment is booked as it was signed, or not at all", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    await partySigns(house, await send(act), partyId);
    const [, , , next] = await at.bills(id);
    const [, sealed] = await Promise.all([at.pay(partyId, [next!.id]), seal(act.id)]);
    const done = (sealed.body.data as { state: string }).state === "done";
    expect(await detail(act.id)).toMatchObject({ state: done ? "done" : "handling", agreed: done });
    expect(await at.contract(id)).toMatchObject({ monthlyRent: done ? 330_000 : 350_000 });
    expect(await at.sound()).toEqual([]);
  });

  test("after a payment ends with the reason, and the act is sent anew as it stands", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    const token = await send(act);
    await partySigns(house, token, partyId);
    const [, , , next] = await at.bills(id);
    await at.pay(partyId, [next!.id]);
    expect((await seal(act.id)).body.data).toMatchObject({ state: "failed" });
    expect(await signings(act.id)).toMatchObject([
      { state: "failed", failReason: "账单试算已变化，请核对后重新确认" },
    ]);
    expect(await detail(act.id)).toMatchObject({ state: "handling", agreed: false });
    const { rows: told } = await pool.query(
      "select title from message where biz_type = 'contract' and biz_id = $1 and title like '%未能生效'",
      [id],
    );
    expect(told.length).toBeGreaterThan(0);
    const { rows: texts } = await pool.query(
      "select count(*)::int n from outbox where recipient = $1 and body like '%补充协议未能生效%'",
      [await phoneOf(house, partyId)],
    );
    expect(texts).toEqual([{ n: 1 }]);
    const params = { id: act.id };
    const { previewHash } = (await house.did(amendActs.preview, { as }, { params, body: {} })) as {
      previewHash: string;
    };
    expect(previewHash).not.toBe(act.previewHash);
    const body = { version: await versionOf(act.id), previewHash };
    const { version } = await house.did(amendActs.submit, { as }, { params, body });
    // the preview of before is not what is sent
    const old = await house.ask(startActSigning, { as }, { params, body: act });
    expect([old.status, old.body.reason]).toEqual([409, "stale"]);
    const other = { params, body: { version, previewHash: act.previewHash } };
    expect((await house.ask(startActSigning, { as }, other)).body.reason).toBe("previewChanged");
    house.setClock("2026-07-20T15:00:00+08:00");
    await partySigns(house, await send({ id: act.id, version, previewHash }), partyId);
    expect((await seal(act.id)).body.data).toMatchObject({ state: "done" });
    expect((await at.bills(id)).map((b) => b.net).slice(2)).toEqual([1_020_968, 990_000, 990_000]);
    expect(await at.sound()).toEqual([]);
  });

  test("is refused with a reason; it waits to be sent again or changed", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    const token = await send(act);
    const { device } = await readyToSign(house, token, partyId);
    const { key } = await house.did(
      refuseSigning,
      {},
      { params: { token }, body: { device, reason: "租金仍偏高" } },
    );
    expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({
      kind: "refused",
      title: "租赁合同补充协议",
      reason: "租金仍偏高",
    });
    expect(await detail(act.id)).toMatchObject({ state: "signing", signing: false });
    expect((await signings(act.id))[0]).toMatchObject({ state: "refused", failReason: "租金仍偏高" });
    expect(await saidOf(house.ask(resendActSigning, { as }, { params: { id: act.id } }))).toEqual([
      409,
      "补充协议不在电子签署中，请核对试算后发起电子签署",
    ]);
    const again = await send(act);
    expect(await saidOf(page(token))).toEqual([410, "已拒绝签署"]);
    expect((await page(again)).status).toBe(200);
  });

  test("runs out with its link, and goes back to work when nobody closes it in time", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    const token = await send(act);
    at.on("2026-07-24");
    expect(await saidOf(page(token))).toEqual([410, "签署链接已过期，请联系管家重新发送"]);
    await perform(house, jobs[0]!, {}, "links");
    expect((await signings(act.id))[0]).toMatchObject({ state: "expired", failReason: "签署链接已过期" });
    expect(await detail(act.id)).toMatchObject({ state: "signing", signing: false });
    const fresh = await send(act);
    expect(await saidOf(page(token))).toEqual([410, "协议内容已更新，请使用新链接"]);
    await partySigns(house, fresh, partyId);
    // the party has signed: its link does not end it any more, the time to be closed does
    at.on("2026-07-29");
    await perform(house, jobs[0]!, {}, "waits");
    expect((await signings(act.id))[0]).toMatchObject({ state: "signing" });
    at.on("2026-08-01");
    await perform(house, jobs[0]!, {}, "closed");
    expect((await signings(act.id))[0]).toMatchObject({ state: "expired", failReason: "签署期限已过" });
    expect(await detail(act.id)).toMatchObject({ state: "handling", agreed: false });
    expect((await seal(act.id)).status).toBe(409);
    expect(await at.contract(id)).toMatchObject({ monthlyRent: 350_000 });
  });

  test("is taken back, or ended by another step on the act, but not once the party has signed", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    const params = { id: act.id };
    const first = await send(act);
    expect(await saidOf(house.ask(startActSigning, { as }, { params, body: act }))).toEqual([
      409,
      "补充协议正在电子签署中，请重新发送链接或先撤销签署",
    ]);
    const { links } = await house.did(resendActSigning, { as }, { params });
    expect(await saidOf(page(first))).toEqual([410, "签署已撤销"]);
    const second = links[0]!.path.split("/").at(-1)!;
    await house.did(cancelActSigning, { as }, { params, body: { reason: "当面签字" } });
    expect(await saidOf(page(second))).toEqual([410, "签署已撤销"]);

    // on paper in place of it
    const third = await send(act);
    const paper = async () => ({
      version: await versionOf(act.id),
      how: "paper" as const,
      note: "双方已签字",
      fileIds: [await aScan(house, as)],
    });
    await house.did(amendActs.agree, { as }, { params, body: await paper() });
    expect(await saidOf(page(third))).toEqual([410, "签署已撤销"]);
    expect((await signings(act.id))[0]).toMatchObject({ state: "cancelled", failReason: "已改为线下签署" });
    const twice = { params, body: { ...act, version: await versionOf(act.id) } };
    expect(await saidOf(house.ask(startActSigning, { as }, twice))).toEqual([409, "租客已签署"]);
    // changed, it is handed in anew
    const edited = { ...cheaper, version: await versionOf(act.id) };
    await house.did(amendActs.edit, { as }, { params, body: edited as never });
    const body = { version: await versionOf(act.id), previewHash: act.previewHash };
    const { version } = await house.did(amendActs.submit, { as }, { params, body });
    await partySigns(house, await send({ ...act, version }), partyId);
    const steps = [
      house.ask(amendActs.edit, { as }, { params, body: { ...cheaper, version } as never }),
      house.ask(amendActs.agree, { as }, { params, body: await paper() }),
      house.ask(amendActs.cancel, { as }, { params, body: { version, reason: "不再变更" } }),
    ];
    for (const [i, verb] of ["编辑", "登记签署", "取消"].entries())
      expect(await saidOf(steps[i]!)).toEqual([409, `承租方已电子签署，等待盖章，不能${verb}`]);
    expect(await saidOf(house.ask(cancelActSigning, { as }, { params, body: { reason: "改期" } }))).toEqual([
      409,
      "承租方已签署，不能撤销",
    ]);
  });

  test("is signed or taken back when both come at once, never both", async () => {
    const { id, partyId } = await lease();
    const act = await handedIn(amendActs, id, cheaper);
    const token = await send(act);
    const body = await readyToSign(house, token, partyId);
    const [signing, gone] = await Promise.all([
      house.ask(signByParty, {}, { params: { token }, body }),
      house.ask(cancelActSigning, { as }, { params: { id: act.id }, body: { reason: "暂缓" } }),
    ]);
    expect([signing.status, gone.status].toSorted()).toEqual(
      signing.status === 200 ? [200, 409] : [200, 410],
    );
    expect((await signings(act.id))[0]!.state).toBe(signing.status === 200 ? "signing" : "cancelled");
  });

  test("is for who may confirm the act; on paper only where the store signs on paper", async () => {
    const { id } = await lease();
    const { id: actId, ...body } = await handedIn(amendActs, id, cheaper);
    const params = { id: actId };
    const villages = [shop.villageId];
    const other = await house.person({ permits: ["9.get", "#1108"], villages });
    expect((await house.ask(startActSigning, { as: other }, { params, body })).status).toBe(403);
    expect((await house.ask(actSignings, { as: other }, { params })).status).toBe(200);
    const elsewhere = await house.person({ permits: ["9.get", "#903"] });
    expect((await house.ask(startActSigning, { as: elsewhere }, { params, body })).status).toBe(404);
    await pool.query(
      "insert into contract_config (enterprise_id, village_id, offline_allowed) values ($1, $2, false)",
      [house.enterpriseId, shop.villageId],
    );
    const paper = {
      version: body.version,
      how: "paper" as const,
      note: "签字",
      fileIds: [await aScan(house, as)],
    };
    expect(await saidOf(house.ask(amendActs.agree, { as }, { params, body: paper }))).toEqual([
      409,
      "该门店不允许线下签署，请发起电子签署",
    ]);
    await pool.query("delete from contract_config");
  });
});

test("the database knows one live signing an act, of that act's contract", async () => {
  const [{ id }, { id: other }] = [await lease(), await lease()];
  const act = await handedIn(amendActs, id, cheaper);
  await send(act);
  const { rows } = await pool.query("select id from sign_flow where act_id = $1", [act.id]);
  const copy = (set: string) =>
    pool
      .query(
        `insert into sign_flow (flow_no, contract_id, act_id, doc_kind, closes_at, enterprise_id, village_id, deadline, document_id,
           document_hash, pages, paper, preview_hash, link_hours, sms_minutes, sms_tries, handwriting, read_seconds)
         select flow_no || 'X', w.contract_id, w.act_id, w.doc_kind, w.closes_at, enterprise_id, village_id, deadline, document_id,
           document_hash, pages, paper, preview_hash, link_hours, sms_minutes, sms_tries, handwriting, read_seconds
         from (select * from sign_flow where id = $1) f cross join lateral (select ${set}) w`,
        [rows[0].id],
      )
      .then(
        () => "taken",
        (error: { constraint?: string }) => error.constraint,
      );
  const of = (contract: number, kind = "'supplement'", actId = "f.act_id", closes = "f.closes_at") =>
    `${contract}::bigint contract_id, ${actId} act_id, ${kind} doc_kind, ${closes} closes_at`;
  expect(await copy(of(id))).toBe("sign_flow_live_act");
  await house.did(cancelActSigning, { as }, { params: { id: act.id }, body: { reason: "暂缓" } });
  expect(await copy(of(other))).toBe("sign_flow_act");
  expect(await copy(of(id, "'renterContract'"))).toBe("sign_flow_subject");
  expect(await copy(of(id, "'supplement'", "null::bigint", "null::timestamptz"))).toBe("sign_flow_subject");
});
