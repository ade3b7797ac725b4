import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aRoom, signed } from "../contract/contract.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import {
  actSignings,
  openSigning,
  payDue,
  setSeal,
  signDocument,
  signPage,
  signResult,
  startActSigning,
} from "../esign/esign.contract.ts";
import links from "../esign/esign.job.ts";
import { partySigns } from "../esign/esign.sample.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { addRoomsActs, exchangeRoomsActs, returnRoomsActs } from "../room-change/room-change.contract.ts";
import holds from "../room-change/room-change.job.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { aDesk } from "../template-list/template.sample.ts";
import { getChange, supplementFile } from "./amendment.contract.ts";
import { anAmender } from "./amendment.sample.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as, pool } = at;
const keeper = await house.person({ permits: ["95.query"], villages: [shop.villageId], name: "何印" });
await aSeal(house, { villageIds: [shop.villageId], operatorIds: [keeper.operatorId] });
let n = 0;
const LAST4 = (
  await pool.query("select right(credit_code, 4) code from firm where id = $1", [shop.companyId])
).rows[0].code;

/** E17: a company's year from 1 March 2026 by the quarter, at 1,800.00 a room, the first quarter and the deposit paid. */
async function company(count: number) {
  at.on("2026-03-01");
  const names = Array.from({ length: count }, () => `S${++n}`);
  const ids = await someRooms(house, shop, names);
  const form = aCompanyForm(shop, ids, { rent: 180_000, start: "2026-03-01", cycleMonths: 3 });
  const { id } = await signed(house, as, form, "2026-03-01");
  const due = (await at.bills(id)).filter((b) => b.due <= "2026-03-01");
  await at.pay(
    shop.companyId,
    due.map((b) => b.id),
  );
  return { id, ids, roomId: await aRoom(house, shop.building, `S${++n}`) };
}

type Calls = typeof addRoomsActs | typeof exchangeRoomsActs | typeof returnRoomsActs;
async function handedIn(calls: Calls, contractId: number, draft: object) {
  const { id } = await house.did(calls.ask, { as }, { body: { contractId, ...draft } as never });
  const params = { id };
  const { previewHash } = (await house.did(calls.preview, { as }, { params, body: {} })) as {
    previewHash: string;
  };
  const { version } = await house.did(calls.submit, { as }, { params, body: { version: 1, previewHash } });
  return { id, version, previewHash };
}
const send = async ({ id, ...body }: Awaited<ReturnType<typeof handedIn>>) => {
  const sent = await house.did(startActSigning, { as }, { params: { id }, body });
  return { token: sent.links[0]!.path.split("/").at(-1)!, deadline: sent.deadline };
};
const detail = (id: number) => house.did(getChange, { as }, { params: { id } });
const signing = async (id: number) => (await house.did(actSignings, { as }, { params: { id } }))[0]!;
const heldOf = async (roomId: number) =>
  (await pool.query("select kind from occupancy_row where room_id = $1", [roomId])).rows.map((r) => r.kind);
const joining = (roomId: number) => ({
  ...{ effectiveOn: "2026-04-10", reason: "增加员工" },
  rooms: [{ roomId, monthlyRent: 180_000 }],
});

test("a room that is to join is held as long as its supplement may be signed; both end at the same moment", async () => {
  const { id, roomId } = await company(1);
  at.on("2026-04-10");
  const act = await handedIn(addRoomsActs, id, joining(roomId));
  const held =
    "select hold_until, closes_at from contract_act a join sign_flow w on w.act_id = a.id where a.id = $1";
  at.on("2026-04-12");
  const { token } = await send(act);
  const { rows } = await pool.query(held, [act.id]);
  expect(rows[0].closes_at).toEqual(rows[0].hold_until);
  await partySigns(house, token, shop.companyId, LAST4);
  at.on("2026-05-30");
  // the one that frees rooms leaves it to the one that ends signings, which tells the party
  await perform(house, holds[0]!, {}, randomUUID());
  expect([(await detail(act.id)).state, await heldOf(roomId)]).toEqual(["signing", ["reservation"]]);
  await perform(house, links[0]!, {}, randomUUID());
  expect(await signing(act.id)).toMatchObject({ state: "expired", failReason: "签署期限已过" });
  expect(await detail(act.id)).toMatchObject({ state: "handling", agreed: false });
  expect(await heldOf(roomId)).toEqual([]);
});

test("rooms are exchanged by a signature on the paper that the page prints, in the words of the day it was handed in", async () => {
  const { id, ids, roomId } = await company(2);
  at.on("2026-04-21");
  const desk = await aDesk(house, shop);
  const template = await desk.aTemplate({ docKind: "supplement" });
  const words = (said: string) =>
    `<h1>${said}</h1><p>变更原因：<span data-field="变更原因"></span></p><p><span data-field="变更条款"></span></p>` +
    '<div data-table="账单变化表"></div><p><span data-field="客户签字"></span></p><p><span data-field="企业印章"></span></p>';
  await desk.edited(template, words("调房协议"));
  await desk.published(template, "2026-04-21");
  const act = await handedIn(exchangeRoomsActs, id, {
    ...{ effectiveOn: "2026-04-21", reason: "换大房间", roomIds: [ids[1]] },
    rooms: [{ roomId, monthlyRent: 240_000 }],
  });
  await desk.edited(template, words("后来的协议"));
  await desk.published(template, "2026-04-21");

  const { token } = await send(act);
  const { device } = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
  const { blocks } = await house.did(signDocument, {}, { params: { token }, query: { device } });
  const presented = JSON.stringify(blocks);
  const { raw } = await house.ask(supplementFile, { as }, { params: { id: act.id } });
  const printed = textOfPdf(raw).replaceAll("\n", "");
  for (const said of ["调房协议", "换大房间", "租用至 2026-04-20", "2,400.00 元"]) {
    expect(presented).toContain(said);
    expect(printed).toContain(said);
  }
  expect(presented + printed).not.toContain("后来的协议");

  const key = await partySigns(house, token, shop.companyId, LAST4);
  const { id: flowId } = await signing(act.id);
  const sealed = await house.did(setSeal, { as: keeper }, { params: { id: flowId }, body: {} });
  expect([sealed.state, (await signing(act.id)).failReason]).toEqual(["done", ""]);
  const made = (await at.bills(id)).filter((b) => b.due === "2026-04-21");
  expect(made.map((b) => [b.title, b.net, b.settled])).toEqual([
    ["加房押金", 60_000, 0],
    ["加房第1期租金", 320_000, 240_000],
  ]);
  expect(await detail(act.id)).toMatchObject({ state: "done", agreedHow: "page" });
  expect(await heldOf(roomId)).toEqual(["lease"]);
  expect(await at.sound()).toEqual([]);
  // its money is among the contract's bills, not behind the result
  expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({ kind: "done", online: false });
  expect((await house.ask(payDue, {}, { body: { key } })).status).toBe(404);
});

test("what a room that is returned leaves of its deposit goes back with the seal", async () => {
  const { id, ids } = await company(2);
  at.on("2026-05-10");
  const act = await handedIn(returnRoomsActs, id, {
    ...{ effectiveOn: "2026-05-10", reason: "员工离职", roomIds: [ids[1]] },
  });
  await partySigns(house, (await send(act)).token, shop.companyId, LAST4);
  const { id: flowId } = await signing(act.id);
  const sealed = await house.did(setSeal, { as: keeper }, { params: { id: flowId }, body: {} });
  expect([sealed.state, (await signing(act.id)).failReason]).toEqual(["done", ""]);
  const { rows } = await pool.query(
    "select r.amount::int fen from contract_act a join refund r on r.id = a.refund_id where a.id = $1",
    [act.id],
  );
  expect(rows).toEqual([{ fen: 180_000 }]);
  expect(await at.contract(id)).toMatchObject({ deposit: 180_000 });
  expect(await at.sound()).toEqual([]);
});

test("what was held too long is not sent any more", async () => {
  const { id, roomId } = await company(1);
  at.on("2026-04-10");
  const { id: actId, ...body } = await handedIn(addRoomsActs, id, joining(roomId));
  at.on("2026-05-30");
  const late = await house.ask(startActSigning, { as }, { params: { id: actId }, body });
  expect([late.status, late.body.message]).toEqual([409, "签署期限已过，请编辑后重新提交"]);
});

test.each(["edit", "cancel"] as const)("to %s it frees the room and ends the signing", async (move) => {
  const { id, roomId } = await company(1);
  at.on("2026-04-10");
  const act = await handedIn(addRoomsActs, id, joining(roomId));
  const { token } = await send(act);
  expect(await heldOf(roomId)).toEqual(["reservation"]);
  const params = { id: act.id };
  const { version } = await detail(act.id);
  const more = move === "edit" ? joining(roomId) : { reason: "不加了" };
  await house.did(addRoomsActs[move], { as }, { params, body: { version, ...more } as never });
  expect(await heldOf(roomId)).toEqual([]);
  expect((await signing(act.id)).state).toBe("cancelled");
  expect((await house.ask(signPage, {}, { params: { token } })).body.message).toBe("签署已撤销");
});
