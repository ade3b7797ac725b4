import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { companyCalls, getCompany } from "../company/company.contract.ts";
import { aCompany, aMerchant } from "../firm/firm.sample.ts";
import { confirmRefund, rerouteRefund } from "../../finance/refund/refund.contract.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { BANK, onRefund } from "../../finance/refund/refund.sample.ts";
import { getMerchant, merchantCalls } from "../merchant/merchant.contract.ts";
import {
  cancelReservation,
  changeReservedRoom,
  convertReservation,
  forfeitReservation,
} from "./acts.contract.ts";
import { reservationPaper, addReservation, listReservations } from "../reservation/reservation.contract.ts";
import { CONTRACT_ADD } from "../reservation/reservation.rules.ts";
import {
  actingOn,
  aDesk,
  aReservingHouse,
  aHeldReservation,
  bookOf,
  lapsing,
  ledgerBreaks,
  paying,
  reservationOf,
  typedReservation,
} from "../reservation/reservation.sample.ts";

const FIRMS = ["106", "113"].flatMap((code) =>
  ["query", "get", "add", "edit", "delete"].map((a) => `${code}.${a}`),
);
const { house, desk } = await aReservingHouse({}, { permits: [...FIRMS, "#1602"] });
const { clerk, boss } = desk;
const { pool } = house.database;

const company = (more: object = {}) => aCompany(house, clerk, desk.villageId, more);
const merchant = (more: object = {}) => aMerchant(house, clerk, desk.villageId, more);
const keptFor = async (partyId: number, room: string, more: object = {}) =>
  aHeldReservation(house, desk, { partyId, name: "", phone: "", roomId: await desk.room(room), ...more });
const acting = actingOn(house, desk, "计划改变");
const texts = async (partyId: number) =>
  (await pool.query("select recipient, body from outbox where party_id = $1 order by id", [partyId])).rows;

describe.each([
  ["company", company, "云栖软件有限公司"],
  ["merchant", merchant, "晨光早餐店"],
] as const)("for a %s", (kind, make, name) => {
  const room = (n: number) => `${kind === "company" ? 2 : 3}${n}`;

  test("the room is kept, the money is billed to it and held; its main contact is told", async () => {
    const partyId = await make();
    const { id } = await keptFor(partyId, room(101));
    expect(await reservationOf(house, desk, id)).toMatchObject({
      partyId,
      partyKind: kind,
      partyName: name,
      state: "held",
      held: 100_000,
    });
    const { rows } = await pool.query(
      "select b.party_id::int from bill b join reservation r on r.bill_id = b.id where r.id = $1",
      [id],
    );
    expect(rows).toEqual([{ party_id: partyId }]);
    const [told] = await texts(partyId);
    expect(told).toMatchObject({ recipient: "13700000001", body: expect.stringContaining(`${name}您好`) });
    const { list } = await house.did(listReservations, { as: clerk }, { query: { partyKind: kind } });
    expect(list.map((r) => r.partyId)).toContain(partyId);
    expect(list.every((r) => r.partyKind === kind)).toBe(true);
    const paper = await house.ask(reservationPaper, { as: clerk }, { params: { id } });
    expect(paper.status).toBe(200);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("it changes its room, lapses with its money held, and is given back by a refund", async () => {
    const before = await bookOf(house, "2241");
    const { id } = await keptFor(await make(), room(102));
    const other = await desk.room(room(103));
    const { version } = await reservationOf(house, desk, id);
    await house.did(
      changeReservedRoom,
      { as: clerk },
      { params: { id }, body: { version, roomId: other, rent: 300_000 } },
    );
    house.setClock("2026-11-26T00:00:10+08:00");
    await lapsing(house);
    expect(await reservationOf(house, desk, id)).toMatchObject({
      state: "lapsed",
      held: 100_000,
      roomId: other,
    });
    expect((await acting(cancelReservation, id, { refund: true })).body.data).toMatchObject({
      refundNo: expect.stringMatching(/^TK/),
    });
    const { refundId } = await reservationOf(house, desk, id);
    await onRefund(house, boss, rerouteRefund, refundId!, BANK);
    const slip = { name: "凭证.pdf", bytes: aPdf(), type: "application/pdf" };
    const { data } = (await sendFile(house, boss, slip, "paper10M")).body;
    const paid = await onRefund(house, boss, confirmRefund, refundId!, {
      merchantAccountId: desk.accounts.bankTransfer,
      fileIds: [data.id],
    });
    expect(paid.status).toBe(200);
    expect((await reservationOf(house, desk, id)).state).toBe("refunded");
    expect(await bookOf(house, "2241")).toBe(before);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("its 定金 is forfeited as anybody's", async () => {
    const { id } = await keptFor(await make(), room(104));
    expect((await acting(forfeitReservation, id)).status).toBe(200);
    expect((await reservationOf(house, desk, id)).state).toBe("forfeited");
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("its contract begins for who may sign with its kind", async () => {
    const partyId = await make();
    const { id } = await keptFor(partyId, room(105));
    const { version } = await reservationOf(house, desk, id);
    const sent = { params: { id }, body: { version } };
    expect((await house.ask(convertReservation, { as: clerk }, sent)).status).toBe(403);
    const may = await house.person({ permits: [CONTRACT_ADD[kind]], villages: [desk.villageId] });
    expect(await house.did(convertReservation, { as: may }, sent)).toMatchObject({ kind, partyId });
    expect((await reservationOf(house, desk, id)).state).toBe("held");
  });

  test("a record that keeps a room is neither merged away nor deleted", async () => {
    const calls = kind === "company" ? companyCalls : merchantCalls;
    const get = kind === "company" ? getCompany : getMerchant;
    const version = async (partyId: number) =>
      (await house.did(get, { as: clerk }, { params: { id: partyId } })).version;
    const [keepId, goneId] = [await make(), await make()];
    const { id } = await keptFor(goneId, room(106));
    const { number } = await reservationOf(house, desk, id);
    const why = `要并入的记录有未了结的预订 ${number}，请先处理该预订，或保留这条记录`;
    expect((await house.did(calls.mergePreview, { as: clerk }, { body: { keepId, goneId } })).refusal).toBe(
      why,
    );
    const body = {
      keepId,
      goneId,
      keepVersion: await version(keepId),
      goneVersion: await version(goneId),
      reason: "重复登记",
    };
    expect((await house.ask(calls.merge, { as: clerk }, { body })).body.message).toBe(why);
    const gone = await house.ask(
      calls.remove,
      { as: clerk },
      { params: { id: goneId }, query: { version: await version(goneId) } },
    );
    expect(gone.body.message).toContain("1 条客源或预订，不能删除");
    // the other way round the record that keeps the room is kept
    const turned = { ...body, keepId: goneId, goneId: keepId };
    const done = await house.ask(
      calls.merge,
      { as: clerk },
      { body: { ...turned, keepVersion: body.goneVersion, goneVersion: body.keepVersion } },
    );
    expect(done.status).toBe(200);
  });
});

test("a firm of another store is nobody to choose; its name is masked for who may not read the list", async () => {
  const other = await aDesk(house, { village: "隔壁店", permits: FIRMS });
  const partyId = await aCompany(house, other.clerk, other.villageId, { name: "远山科技有限公司" });
  const body = typedReservation(
    { ...desk, roomId: await desk.room("5101") },
    { partyId, name: "", phone: "" },
  );
  const refused = await house.ask(addReservation, { as: clerk, key: randomUUID() }, { body });
  expect(refused.body.fields).toEqual([{ field: "partyId", msg: "请选择客户" }]);
  const { id } = await keptFor(await company(), "5102");
  const consultant = await house.person({
    permits: ["15.query", "15.get", "16.query"],
    villages: [desk.villageId],
  });
  const { list } = await house.did(listReservations, { as: consultant }, { query: { keyword: "5102" } });
  expect(list.map((r) => [r.id, r.partyName])).toEqual([[id, "云*"]]);
  expect((await paying(house, desk, id)).status).toBe(409);
});
