import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, aScan, signed } from "../contract/contract.sample.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { getSettlement, settlementActs } from "../settlement/settlement.contract.ts";
import { expireEnded } from "../signing/clock.service.ts";
import { handOver } from "../signing/signing.contract.ts";
import { beginDue } from "../succession/succession.service.ts";
import { C, R, aSuccession } from "./successor.sample.ts";

const house = await testHouse();
const { shop, as, pool, room, lease, renew, change, all, billsOf, contractOf, sound } =
  await aSuccession(house);
const settler = await house.person({
  permits: ["72.query", "72.get", "72.add", "72.edit", "#7202", "#7204", "#904"],
  villages: [shop.villageId],
});

async function on(day: Day) {
  house.setClock(`${day}T10:00:00+08:00`);
  // as in the first minutes of every day
  await acting(house, async (act) => {
    await beginDue(act);
    await expireEnded(act);
  });
}
async function movedIn(contractId: number, handoverOn: Day) {
  const { version } = await contractOf(contractId);
  const body = { handoverOn, version, overrideReason: "租客次日转账" };
  await house.did(handOver, { as }, { params: { id: contractId }, body });
}

/** Who never moves in is settled on the day before the term. */
async function givenUp(contractId: number, effectiveOn: Day) {
  const draft = { effectiveOn, endReason: "notMovedIn" as const, noticeOn: null, reason: "改变计划" };
  const { id } = await house.did(
    settlementActs.ask,
    { as: settler },
    { body: { contractId, ...draft, penaltyReason: "", charges: [] } },
  );
  const params = { id };
  const by = () => ({ as: settler, key: randomUUID() });
  const version = async () => (await house.did(getSettlement, by(), { params })).version;
  const { previewHash } = await house.did(settlementActs.preview, by(), { params, body: {} });
  await house.did(settlementActs.submit, by(), { params, body: { version: await version(), previewHash } });
  const fileIds = [await aScan(house, settler)];
  const paper = { how: "paper" as const, note: "租客已签字", fileIds };
  await house.did(settlementActs.agree, by(), { params, body: { version: await version(), ...paper } });
  await house.did(settlementActs.confirm, by(), { params, body: { version: await version(), previewHash } });
  return { id, version };
}
const stateOf = async (id: number) => (await contractOf(id)).state;

test("a renewal that is given up before its first day ends the lease before all the same, and the room goes to the next tenant", async () => {
  const old = await lease({ start: "2025-07-01", cycleMonths: 12 });
  await movedIn(old.id, "2025-07-01");
  await on("2026-06-10");
  const renewed = await renew({ contractId: old.id, end: "2027-06-30" });
  await all(R, renewed.id, "2026-06-10");
  await on("2026-06-30");
  await givenUp(renewed.contractId, "2026-06-30");
  expect([await stateOf(old.id), await stateOf(renewed.contractId)]).toEqual(["effective", "terminated"]);

  await on("2026-07-01");
  expect(await stateOf(old.id)).toBe("renewed");
  expect(await sound()).toEqual([]);
  const partyId = await aRenter(house, shop.villageId);
  const form = aForm({ ...shop, roomId: old.roomId, partyId }, { start: "2026-07-05" });
  const next = await signed(house, as, form, "2026-07-01");
  const { list } = await house.did(listContracts, { as }, { query: { kind: "renter" } });
  expect(list.find((c) => c.id === next.id)!.facts.roomHeld).toMatchObject({ why: "dirty" });
  // nobody moved into what was given up
  expect((await contractOf(renewed.contractId)).handoverOn).toBeNull();
});

test.each([
  ["room", "changedRoom"],
  ["tenant", "terminated"],
] as const)(
  "another %s that is given up before its first day ends the lease before on its last day",
  async (kind, state) => {
    const old = await lease({ start: "2026-03-01", cycleMonths: 3 }, 3);
    await movedIn(old.id, "2026-03-01");
    await on("2026-04-10");
    const effectiveOn = "2026-04-20";
    const next = await change({
      contractId: old.id,
      kind,
      effectiveOn,
      ...(kind === "room"
        ? { roomId: await room(), monthlyRent: 350_000 }
        : { partyId: await aRenter(house, shop.villageId), arrearsReason: "留在原合同" }),
    });
    await all(C, next.id, "2026-04-10");
    const last = addDays(effectiveOn, -1);
    await on(last);
    await givenUp(next.contractId, last);
    expect(await stateOf(old.id)).toBe("effective");
    await on(effectiveOn);
    expect(await stateOf(old.id)).toBe(state);
    expect(await sound()).toEqual([]);
  },
);

test("E12: the room of a renewed lease stays let without a break, and the deposit goes over in the ledger with 175.00 more", async () => {
  const old = await lease({ start: "2026-03-15" }, 5);
  await movedIn(old.id, "2026-03-15");
  await on("2027-02-20");
  const { id, contractId: next } = await renew({
    contractId: old.id,
    end: "2028-03-14",
    rents: [{ roomId: old.roomId, monthlyRent: 367_500 }],
  });
  await all(R, id, "2027-02-20");
  const { rows: moved } = await pool.query(
    `select l.account, l.contract_id::int contract, sum(l.debit)::int debit, sum(l.credit)::int credit from journal_entry e
     join journal_line l on l.entry_id = e.id where e.event = 'E15' and e.source_id = $1 group by 1, 2 order by 2`,
    [next],
  );
  expect(moved).toEqual([
    { account: "2241", contract: old.id, debit: 350_000, credit: 0 },
    { account: "2241", contract: next, debit: 0, credit: 350_000 },
  ]);
  expect((await billsOf(next))[0]).toMatchObject({ title: "押金", net: 17_500 });
  const board = async (day: Day) => {
    const { rows } = await pool.query(
      `select s.occupancy, s.is_let let, s.contract_id::int contract from room_status_at($1::date, $1::date, array[$2::bigint]) s
       where s.room_id = $3`,
      [day, shop.villageId, old.roomId],
    );
    return rows[0];
  };
  const seen = { occupancy: "occupied", let: true, contract: old.id };
  expect(await board("2027-02-20")).toEqual(seen);
  for (const day of ["2027-03-14", "2027-03-15", "2027-03-16"]) {
    const shown = { ...seen, contract: day < "2027-03-15" ? old.id : next };
    await on(day);
    expect([day, await board(day)]).toEqual([day, shown]);
  }
  expect([await stateOf(old.id), await stateOf(next)]).toEqual(["renewed", "effective"]);
});
