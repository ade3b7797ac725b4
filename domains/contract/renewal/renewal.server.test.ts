import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../listing/occupancy/occupancy.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, submitted } from "../contract/contract.sample.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { listSettlements } from "../settlement/settlement.contract.ts";
import { R, WAYS, aSuccession } from "../successor/successor.sample.ts";
import { renewals } from "../successor/successor.contract.ts";
import {
  countRenewals,
  declineRenewal,
  followRenewal,
  getRenewal,
  handInRenewal,
  inviteRenewals,
  listRenewals,
  weighRenewals,
} from "./renewal.contract.ts";
import type { RenewalTab } from "./renewal.rules.ts";

const house = await testHouse();
const { shop, as, pool, lease, all, renew, billsOf, held, sound, contractOf } = await aSuccession(house);
const clerk = await house.person({
  permits: ["9.query", "9.get", "72.query", "73.query", "73.get", "73.add", "73.edit"],
  villages: [shop.villageId],
});
const TERM = { start: "2026-03-15" } as const;
const END = "2028-03-14";

const rowsOf = async (tab: RenewalTab, more: object = {}) =>
  (await house.did(listRenewals, { as: clerk }, { query: { tab, pageSize: 200, ...more } })).list;
const inTab = async (tab: RenewalTab, id: number) => (await rowsOf(tab)).some((r) => r.id === id);
const weigh = (rows: object[]) =>
  house.did(
    weighRenewals,
    { as: clerk },
    { body: { rows: rows.map((r) => ({ ...WAYS, rents: [], ...r })) as never } },
  );
const give = (ask: object, previewHash: string) =>
  house.ask(
    handInRenewal,
    { as: clerk, key: randomUUID() },
    { body: { ...WAYS, rents: [], ...ask, previewHash } as never },
  );

describe("the desk", () => {
  test("a lease waits from its store's days before the end on, and moves through the tabs with what is done", async () => {
    const old = await lease(TERM);
    const ask = { contractId: old.id, end: END };
    house.setClock("2026-12-31T10:00:00+08:00");
    expect(await inTab("due", old.id)).toBe(false);
    // the list of contracts says the same as the reason of its act
    const { list } = await house.did(
      listContracts,
      { as: clerk },
      { query: { ids: String(old.id) as never } },
    );
    expect(list).toMatchObject([{ windowDays: 60, daysLeft: 73 }]);
    const early = "距到期还有 73 天，未到可续租时间";
    expect((await weigh([ask])).rows).toMatchObject([{ contractId: old.id, refusal: early, preview: null }]);
    expect(await house.ask(renewals.ask, { as: clerk }, { body: { ...WAYS, ...ask } })).toMatchObject({
      status: 409,
      body: { message: early },
    });

    // who leaves within 90 days is seen before the store renews
    const [soon] = (await rowsOf("soon")).filter((r) => r.id === old.id);
    expect(soon).toMatchObject({ state: "early", daysLeft: 73 });
    house.setClock("2026-12-13T10:00:00+08:00");
    expect(await inTab("soon", old.id)).toBe(false);
    house.setClock("2026-12-14T10:00:00+08:00");
    expect(await inTab("soon", old.id)).toBe(true);

    house.setClock("2027-01-13T10:00:00+08:00");
    const [row] = (await rowsOf("due")).filter((r) => r.id === old.id);
    expect(row).toMatchObject({
      state: "due",
      daysLeft: 60,
      rent: 350_000,
      depositHeld: 350_000,
      intent: "none",
      windowDays: 60,
      actId: null,
    });
    await house.did(
      followRenewal,
      { as: clerk },
      { params: { id: old.id }, body: { intent: "willing", note: "想续一年", nextOn: "2027-01-20" } },
    );
    expect(await house.did(getRenewal, { as: clerk }, { params: { id: old.id } })).toMatchObject({
      intent: "willing",
      followNote: "想续一年",
      nextOn: "2027-01-20",
      rooms: [{ roomId: old.roomId, rent: 350_000 }],
    });
    expect((await rowsOf("due", { intent: "willing" })).map((r) => r.id)).toEqual([old.id]);

    const asked = await renew({ ...ask, rents: [{ roomId: old.roomId, monthlyRent: 367_500 }] });
    expect(await inTab("due", old.id)).toBe(false);
    expect((await rowsOf("soon")).find((r) => r.id === old.id)).toMatchObject({ state: "handling" });
    expect((await rowsOf("handling")).find((r) => r.id === old.id)).toMatchObject({
      actNo: asked.actNo,
      newRent: 367_500,
      rise: 0.05,
      newStart: "2027-03-15",
      newEnd: END,
    });
    await all(R, asked.id, "2027-01-13");
    expect(await inTab("done", old.id)).toBe(true);
    const counts = await house.did(countRenewals, { as: clerk }, { query: {} });
    expect(counts).toMatchObject({ due: 0, handling: 0, done: 1, leaving: 0 });
  });

  test("a renewal that is given up waits again and is remembered", async () => {
    const old = await lease(TERM);
    house.setClock("2027-02-01T10:00:00+08:00");
    const asked = await renew({ contractId: old.id, end: END });
    await house.did(
      renewals.cancel,
      { as },
      { params: { id: asked.id }, body: { version: 1, reason: "再考虑" } },
    );
    expect([await inTab("due", old.id), await inTab("cancelled", old.id)]).toEqual([true, true]);
  });

  test("who leaves is settled at the end: the room's settlement waits, and the lease is not asked about again", async () => {
    const old = await lease(TERM);
    house.setClock("2027-02-01T10:00:00+08:00");
    const { actNo } = await house.did(
      declineRenewal,
      { as: clerk },
      { params: { id: old.id }, body: { reason: "回老家" } },
    );
    expect(actNo).toMatch(/^TF/);
    expect([await inTab("due", old.id), await inTab("leaving", old.id)]).toEqual([false, true]);
    const { list } = await house.did(listSettlements, { as: clerk }, { query: { contractId: old.id } });
    expect(list).toMatchObject([{ actNo, effectiveOn: "2027-03-14", endReason: "normal" }]);
    const again = await house.ask(renewals.ask, { as }, { body: { ...WAYS, contractId: old.id, end: END } });
    expect(again).toMatchObject({ status: 409, body: { reason: "actOpen" } });
  });

  test("who stays past the end and leaves after all is settled as of today", async () => {
    const old = await lease({ start: "2026-01-31" });
    house.setClock("2027-02-05T10:00:00+08:00");
    await pool.query("update contract set state = 'expired' where id = $1", [old.id]);
    expect((await rowsOf("due", { left: "over" })).map((r) => r.id)).toEqual([old.id]);
    await house.did(declineRenewal, { as: clerk }, { params: { id: old.id }, body: { reason: "月底搬走" } });
    const { list } = await house.did(listSettlements, { as: clerk }, { query: { contractId: old.id } });
    expect(list).toMatchObject([{ effectiveOn: "2027-02-05" }]);
  });

  test("续租率: renewed of those that end in the days asked for", async () => {
    const { sums } = await house.did(
      listRenewals,
      { as: clerk },
      { query: { tab: "due", endFrom: "2027-03-14", endTo: "2027-03-14" } },
    );
    // one was renewed, one waits, one leaves
    expect(sums).toMatchObject({ ended: 3, renewed: 1, rate: 0.3333 });
  });

  test("an invitation goes out once a day, and not to who leaves", async () => {
    const [stays, leaves] = [await lease(TERM), await lease(TERM)];
    house.setClock("2027-02-01T10:00:00+08:00");
    await house.did(declineRenewal, { as: clerk }, { params: { id: leaves.id }, body: { reason: "已买房" } });
    const ids = [stays.id, leaves.id];
    const reply = await house.did(inviteRenewals, { as: clerk }, { body: { ids } });
    expect(reply).toMatchObject({ sent: 1, rows: [{ refusal: null }, { refusal: "合同有进行中的办理" }] });
    await house.did(inviteRenewals, { as: clerk }, { body: { ids: [stays.id] } });
    const { rows } = await pool.query(
      "select body from outbox where party_id = $1 and body like '%如需续租请尽快联系管家办理%'",
      [stays.partyId],
    );
    expect(rows).toHaveLength(1);
  });

  test("nobody sees or moves a lease of another store", async () => {
    const old = await lease(TERM);
    house.setClock("2027-02-01T10:00:00+08:00");
    const stranger = await house.person({
      permits: ["73.query", "73.get", "73.add", "73.edit"],
      villages: [],
    });
    const params = { id: old.id };
    const tries = [
      await house.ask(getRenewal, { as: stranger }, { params }),
      await house.ask(followRenewal, { as: stranger }, { params, body: { intent: "open", note: "不知道" } }),
      await house.ask(declineRenewal, { as: stranger }, { params, body: { reason: "不续了" } }),
    ];
    expect(tries.map((t) => t.status)).toEqual([404, 404, 404]);
  });
});

describe("what a renewal comes to", () => {
  test("of 3,500.00 at 3,675.00 is shown without drawing anything, and handed in as it was shown", async () => {
    const old = await lease(TERM);
    house.setClock("2027-02-20T10:00:00+08:00");
    const ask = {
      contractId: old.id,
      end: END,
      rents: [{ roomId: old.roomId, monthlyRent: 367_500 }],
    };
    const before = await pool.query("select count(*) from contract");
    const { rows } = await weigh([ask]);
    expect((await pool.query("select count(*) from contract")).rows).toEqual(before.rows);
    const { preview } = rows[0]!;
    expect(preview).toMatchObject({
      held: 350_000,
      deposit: 367_500,
      carried: 350_000,
      due: 1_120_000,
      obstacles: [],
    });
    expect(preview!.contract.totals).toMatchObject({ rent: 4_410_000, atSigning: 1_120_000 });
    expect(preview!.contract.added.map((b) => b.amount)).toEqual([
      17_500, 1_102_500, 1_102_500, 1_102_500, 1_102_500,
    ]);
    expect(await give({ ...ask, end: "2027-12-14" }, preview!.previewHash)).toMatchObject({
      status: 409,
      body: { reason: "previewChanged" },
    });
    const done = await give(ask, preview!.previewHash);
    expect(done).toMatchObject({ status: 200, body: { data: { state: "signing" } } });
    expect(await inTab("signing", old.id)).toBe(true);
    expect(await held(old.id)).toBe(350_000);
  });

  test("is refused beyond twenty years and for rooms of others, whether shown or handed in", async () => {
    const [old, other] = [await lease(TERM), await lease(TERM)];
    house.setClock("2027-02-20T10:00:00+08:00");
    const long = { contractId: old.id, end: "2099-12-31" };
    const rents = [{ roomId: old.roomId, monthlyRent: 1 }];
    const { rows } = await weigh([long, { contractId: other.id, end: END, rents }]);
    expect(rows.map((r) => [r.refusal, r.preview])).toEqual([
      ["租赁期限不得超过二十年", null],
      ["房间不在合同内", null],
    ]);
    expect(await give(long, "0".repeat(64))).toMatchObject({
      status: 400,
      body: { fields: [{ field: "end", msg: "租赁期限不得超过二十年" }] },
    });
  });

  test("of a room that somebody else has afterwards names him, and that the tenant comes first", async () => {
    const old = await lease(TERM);
    house.setClock("2027-02-20T10:00:00+08:00");
    const partyId = await aRenter(house, shop.villageId, { name: "李四" });
    const form = aForm({ ...shop, roomId: old.roomId, partyId }, { start: "2027-03-15" });
    const { contractNo } = await submitted(house, as, form);
    const { rows } = await weigh([{ contractId: old.id, end: END }]);
    const msg = expect.stringContaining(`已被 ${contractNo} 占用，原租客在同等条件下有优先承租权`) as string;
    expect(rows[0]!.preview!.obstacles).toMatchObject([{ code: "roomTaken", msg }]);
  });

  test("of a lease that ran out is dated back, without a gap", async () => {
    const old = await lease({ start: "2026-01-31", cycleMonths: 1 });
    house.setClock("2027-02-05T10:00:00+08:00");
    await pool.query("update contract set state = 'expired' where id = $1", [old.id]);
    const { rows } = await weigh([{ contractId: old.id, end: "2028-01-30" }]);
    const rent = rows[0]!.preview!.contract.added.find((b) => b.kind === "rent")!;
    expect(rent).toMatchObject({ periodStart: "2027-01-31", periodEnd: "2027-02-27" });
  });

  test("of a lease that began on 29 February counts its months from its own first day, the 28th", async () => {
    const old = await lease({ start: "2028-02-29", cycleMonths: 1 });
    house.setClock("2029-02-01T10:00:00+08:00");
    const { rows } = await weigh([{ contractId: old.id, end: "2030-02-27" }]);
    const rents = rows[0]!.preview!.contract.added.filter((b) => b.kind === "rent");
    expect(rents.map((b) => [b.periodStart.slice(8), b.amount])).toEqual(Array(12).fill(["28", 350_000]));
    expect([rents[0]!.periodStart, rents.at(-1)!.periodEnd]).toEqual(["2029-02-28", "2030-02-27"]);
  });

  test("fifty at once, one room of them taken: 49 are done and one is named", async () => {
    house.setClock("2026-03-15T08:00:00+08:00");
    const olds = [];
    for (let i = 0; i < 50; i++) olds.push(await lease(TERM, 0));
    house.setClock("2027-02-20T10:00:00+08:00");
    const rise = { way: "percent", value: "5", rounding: "yuan" };
    const wanted = olds.map((old) => ({ contractId: old.id, end: END, rise }));
    const shown: Awaited<ReturnType<typeof weigh>>["rows"] = [];
    for (let i = 0; i < 50; i += 20) shown.push(...(await weigh(wanted.slice(i, i + 20))).rows);
    const asks = olds.map((old, i) => ({ contractId: old.id, end: END, rents: shown[i]!.rents }));
    expect(asks[0]!.rents).toEqual([{ roomId: olds[0]!.roomId, monthlyRent: 367_500 }]);
    expect(shown.every((r) => r.preview?.obstacles.length === 0)).toBe(true);
    // somebody else has reserved one of them meanwhile
    const taken = olds[7]!;
    const { rows: blocks } = await pool.query<{ id: string }>(
      `insert into room_block (number, village_id, reason, from_day, to_day)
       values ('SF-续租', $1, 'selfUse', '2027-04-01', '2027-04-30') returning id`,
      [shop.villageId],
    );
    const [from, to] = ["2027-04-01", "2027-04-30"];
    await acting(
      house,
      (act) => take(act, [{ kind: "block", blockId: Number(blocks[0]!.id), roomId: taken.roomId, from, to }]),
      { villages: [shop.villageId] },
    );
    const results = [];
    for (const [i, ask] of asks.entries()) results.push(await give(ask, shown[i]!.preview!.previewHash));
    const refused = results.flatMap((r, i) => (r.status === 200 ? [] : [{ i, body: r.body }]));
    const message = expect.stringMatching(/2027-04-01 至 2027-04-30 已被 SF-续租 占用/) as string;
    expect(refused).toMatchObject([{ i: 7, body: { reason: "roomTaken", message } }]);
    expect(results.filter((r) => r.status === 200)).toHaveLength(49);
    const [again] = (await weigh([asks[7]!])).rows;
    expect(again!.preview!.obstacles).toMatchObject([{ code: "roomTaken", msg: message }]);
    expect(await inTab("due", taken.id)).toBe(true);
    expect(await billsOf(taken.id)).not.toEqual([]);
    expect((await contractOf(taken.id)).state).toBe("effective");
    expect(await sound()).toEqual([]);
  }, 120_000);
});
