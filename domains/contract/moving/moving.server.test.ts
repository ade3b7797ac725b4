import { describe, expect, test } from "vitest";
import { textOfPdf } from "../paper/paper.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aRenter } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { C, aSuccession } from "../successor/successor.sample.ts";
import { changes } from "../successor/successor.contract.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { saveSheet } from "../inspection/inspection.contract.ts";
import { findings } from "../settlement/settlement.contract.ts";
import {
  changeBasis,
  chargeChange,
  countChanges,
  getChange,
  listChanges,
  supplementFile,
} from "./moving.contract.ts";

const house = await testHouse();
const { shop, as, pool, room, lease, all, handIn, confirm, change, versionOf, sound } =
  await aSuccession(house);

const list = (query: object) => house.did(listChanges, { as }, { query: query as never });
const counts = (query: object = {}) => house.did(countChanges, { as }, { query: query as never });
const detail = (id: number) => house.did(getChange, { as }, { params: { id } });

describe("the list", () => {
  test("says of a change what was agreed: 3,000.00 to 3,600.00 on 16 May comes to 909.67", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000 });
    house.setClock("2026-05-14T10:00:00+08:00");
    const to = { effectiveOn: "2026-05-16", roomId: await room(), monthlyRent: 360_000 };
    const asked = await change({ contractId: old.id, kind: "room", ...to });
    const drawn = (await list({ kind: "room" })).list[0]!;
    expect(drawn).toMatchObject({ state: "handling", rentBefore: 300_000, rentAfter: 360_000, due: null });
    expect(await counts({ kind: "room" })).toMatchObject({ handling: 1 });
    await handIn(C, asked.id);
    const agreed = {
      actNo: asked.actNo,
      contractNo: old.contractNo,
      nextNo: asked.contractNo,
      rentChange: 60_000,
      depositChange: 60_000,
      rentDue: 30_967,
      fee: 0,
      due: 90_967,
      refund: 0,
    };
    expect((await list({ kind: "room" })).list[0]).toMatchObject({ ...agreed, state: "signing" });
    expect((await confirm(C, asked.id, "2026-05-14")).status).toBe(200);
    const done = await list({ kind: "room", tab: "done" });
    expect(done.list[0]).toMatchObject({ ...agreed, state: "done" });
    expect(done.sums).toEqual({ rentChange: 60_000, due: 90_967, refund: 0 });
    expect((await list({ kind: "tenant" })).list).toEqual([]);
    // also by the contract it led to
    expect((await list({ keyword: asked.contractNo })).total).toBe(1);
    const { rows: who } = await pool.query("select phone from party where id = $1", [old.partyId]);
    expect((await list({ keyword: who[0].phone })).total).toBe(1);
    expect((await list({ keyword: who[0].phone.slice(-4) })).total).toBe(1);

    // its own log is for whoever may open it
    const reader = await house.person({ permits: ["96.query", "96.get"], villages: [shop.villageId] });
    const params = { kind: "changeRoom", recordId: asked.id };
    const log = await house.did(recordHistory, { as: reader }, { params, query: {} });
    expect(log.list.at(-1)).toMatchObject({ kindTitle: "换房转租", action: "换房申请", number: asked.actNo });

    const shown = await detail(asked.id);
    expect(shown.cut[0]).toMatchObject({ before: 900_000, after: 745_161, credit: 154_839 });
    expect(shown.cut.slice(1).map((b) => [b.before, b.after])).toEqual(Array(3).fill([900_000, 0]));
    expect(shown.added.map((b) => b.amount).slice(0, 3)).toEqual([60_000, 185_806, 1_080_000]);
    // one lease after the other on the pages of both
    const { chain } = await house.did(getContract, { as }, { params: { id: old.id } });
    expect(chain.map((c) => [c.startDate, c.endDate])).toEqual([
      ["2026-03-01", "2026-05-15"],
      ["2026-05-16", "2027-02-28"],
    ]);
    // the due days of the old lease stay: seven days before a quarter of its own
    const dues =
      "select due_date::text due from bill where contract_id = $1 and period_start > $2 order by 1";
    const { rows: later } = await pool.query(dues, [asked.contractId, to.effectiveOn]);
    expect(later.map((b) => b.due)).toEqual(["2026-05-25", "2026-08-25", "2026-11-24"]);
    expect(shown).toMatchObject({
      creditUsed: 154_839,
      creditBack: 0,
      depositBack: 0,
      nextEnd: "2027-02-28",
    });
    expect(shown.rooms.map((r) => r.taken.filter((t) => t.own).map((t) => [t.from, t.to]))).toEqual([
      [["2026-03-01", "2026-05-15"]],
      [["2026-05-16", "2027-02-28"]],
    ]);
  });

  test("of a lease that is passed on names both tenants; what is given up names the first alone", async () => {
    const old = await lease({ start: "2026-05-15", rent: 320_000, cycleMonths: 1 });
    house.setClock("2026-06-11T10:00:00+08:00");
    const partyId = await aRenter(house, shop.villageId, { name: "李四" });
    const asked = await change({
      contractId: old.id,
      kind: "tenant",
      effectiveOn: "2026-06-11",
      partyId,
      arrearsReason: "原租客另行支付",
    });
    const drawn = await list({ kind: "tenant" });
    expect(drawn.list[0]).toMatchObject({ partyName: "张三", nextPartyName: "李四", rentBefore: 320_000 });
    const { version } = await versionOf(asked.id);
    await house.did(
      changes.cancel,
      { as },
      { params: { id: asked.id }, body: { version, reason: "不转了" } },
    );
    const given = await list({ kind: "tenant", tab: "ended" });
    expect(given.list[0]).toMatchObject({ nextNo: null, nextPartyName: null, rentAfter: null, due: null });
    expect(await detail(asked.id)).toMatchObject({ endReason: "不转了", added: [] });
  });

  test("is nobody's who has no store of it", async () => {
    const stranger = await house.person({ permits: ["96.query", "96.get"], villages: [] });
    const [row] = (await list({})).list;
    expect((await house.did(listChanges, { as: stranger }, { query: {} as never })).list).toEqual([]);
    expect(await house.ask(getChange, { as: stranger }, { params: { id: row!.id } })).toMatchObject({
      status: 404,
    });
  });
});

describe("the form", () => {
  test("starts from the contract as it stands, and says what is in the way", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000 });
    house.setClock("2026-05-14T10:00:00+08:00");
    const basis = () => house.did(changeBasis, { as }, { query: { contractId: old.id, kind: "room" } });
    expect(await basis()).toMatchObject({ rent: 300_000, held: 300_000, arrears: 0, why: null });
    const asked = await change({
      contractId: old.id,
      kind: "room",
      effectiveOn: "2026-05-16",
      roomId: await room(),
    });
    expect((await basis()).why).toContain(asked.actNo);
    await pool.query("update contract_act set state = 'cancelled' where id = $1", [asked.id]);
    await pool.query("update contract set state = 'expired' where id = $1", [old.id]);
    expect((await basis()).why).toBe("到期未退的合同不能换房");
  });
});

test("the supplement is printed while it waits for signatures and afterwards, and not once it was given up", async () => {
  const old = await lease({ start: "2026-03-01", rent: 300_000 });
  house.setClock("2026-05-16T10:00:00+08:00");
  const to = { kind: "room", effectiveOn: "2026-05-16", roomId: await room(), monthlyRent: 360_000 } as const;
  const asked = await change({ contractId: old.id, ...to });
  const print = () => house.ask(supplementFile, { as }, { params: { id: asked.id } });
  expect((await print()).status).toBe(200);
  await all(C, asked.id, "2026-05-16");
  house.setClock("2026-06-20T10:00:00+08:00");
  // printed again it has the day of the signatures
  const text = textOfPdf((await print()).raw).replaceAll(/\s/g, "");
  expect([...new Set(text.match(/日期：\S{4}年\S{2}月\S{2}日/g))]).toEqual(["日期：2026年05月16日"]);
  const second = await lease({ start: "2026-03-01" });
  house.setClock("2026-05-16T10:00:00+08:00");
  const other = await change({ ...to, contractId: second.id, roomId: await room() });
  const { version } = await versionOf(other.id);
  await house.did(changes.cancel, { as }, { params: { id: other.id }, body: { version, reason: "不换了" } });
  expect(await house.ask(supplementFile, { as }, { params: { id: other.id } })).toMatchObject({
    status: 409,
    body: { message: "该申请已取消" },
  });
});

describe("readings of both rooms", () => {
  type Readings = { kind: "electric" | "coldWater"; meterNo: string; reading: string; price?: number }[];
  const sheet = (id: number, roomId: number, kind: "in" | "out", readings: Readings) =>
    house.ask(
      saveSheet,
      { as },
      {
        params: { id },
        body: { kind, roomId, doneOn: "2026-05-16", readings, keys: 1, cards: 0, version: 0 } as never,
      },
    );
  const meters = (electric: string, water: string, price?: [number, number]): Readings => [
    { kind: "electric", meterNo: "E-1", reading: electric, ...(price && { price: price[0] }) },
    { kind: "coldWater", meterNo: "W-1", reading: water, ...(price && { price: price[1] }) },
  ];
  const charge = async (id: number, charges: object[], more: { as?: typeof as; key?: string } = {}) => {
    const { version } = await versionOf(id);
    return house.ask(
      chargeChange,
      { as, key: `charge-${id}-${version}`, ...more },
      {
        params: { id },
        body: { version, charges: charges as never },
      },
    );
  };

  test("128 kWh and 6 tons of the room before are one bill of 132.40 on its contract; the next begins at its own readings", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000 });
    expect((await sheet(old.id, old.roomId, "in", meters("3412", "20"))).body.message).toBe(
      "日期不能晚于今天",
    );
    house.setClock("2026-05-16T10:00:00+08:00");
    expect((await sheet(old.id, old.roomId, "in", meters("3412", "20"))).status).toBe(200);
    const early = await sheet(old.id, old.roomId, "out", meters("3540", "26", [80, 500]));
    expect(early.status).toBe(403);
    const roomId = await room(360_000);
    const asked = await change({ contractId: old.id, kind: "room", effectiveOn: "2026-05-16", roomId });
    const one = [{ kind: "other", feeId: 1, title: "清运", amount: 1, clause: "九", note: "杂物" }];
    const none = await charge(asked.id, one);
    expect(none.body.message).toBe("换房签署完成后才能结清原房间的水电和赔偿");
    await handIn(C, asked.id);
    // who may only pass leases on to other tenants
    const stranger = await house.person({ permits: ["#9602", "96.get"], villages: [shop.villageId] });
    expect((await confirm(C, asked.id, "2026-05-16", stranger)).status).toBe(403);
    await confirm(C, asked.id, "2026-05-16");
    const propose = () => house.did(findings, { as }, { query: { contractId: old.id } as never });
    expect(await propose()).toEqual([]);
    const unread = await charge(asked.id, one);
    expect(unread.body.message).toBe("请录入 E-1 的退房读数");

    // the keys come back after the day; the contract before is over by then
    expect((await sheet(old.id, old.roomId, "out", meters("3540", "26", [80, 500]))).status).toBe(200);
    expect((await sheet(asked.contractId, roomId, "in", meters("77", "3"))).status).toBe(200);
    const charges = await propose();
    expect(charges.map((c) => [c.quantity, c.price, c.amount])).toEqual([
      ["128", 80, 10_240],
      ["6", 500, 3_000],
    ]);
    expect((await charge(asked.id, charges, { as: stranger })).status).toBe(403);
    const made = await charge(asked.id, charges);
    expect(made.status).toBe(200);
    const { charged } = await detail(asked.id);
    expect(charged).toMatchObject({ amount: 13_240, status: "unpaid" });
    const { rows } = await pool.query("select contract_id::int, due_date from bill where id = $1", [
      charged!.id,
    ]);
    expect(rows).toEqual([{ contract_id: old.id, due_date: "2026-05-16" }]);
    const again = await charge(asked.id, charges);
    expect([again.status, again.body.message]).toEqual([
      409,
      `已出账 ${charged!.billNo}，需要更改请先作废该账单`,
    ]);
    const late = await sheet(old.id, old.roomId, "out", meters("3600", "26", [80, 500]));
    expect(late.status).toBe(403);
    expect(await sound()).toEqual([]);
  });

  test("before its day nothing is charged", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000 });
    house.setClock("2026-05-10T10:00:00+08:00");
    const to = { effectiveOn: "2026-05-20", roomId: await room(360_000) };
    const asked = await change({ contractId: old.id, kind: "room", ...to });
    await handIn(C, asked.id);
    await confirm(C, asked.id, "2026-05-10");
    const no = await charge(asked.id, [
      { kind: "other", feeId: 1, title: "清运", amount: 1, clause: "九", note: "杂物" },
    ]);
    expect(no.body.message).toBe("生效日 2026-05-20 未到，到日抄表后再结清");
  });
});
