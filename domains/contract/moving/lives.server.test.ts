import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { type Day, addDays, minDay } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aRenter } from "../contract/contract.sample.ts";
import { C, aSuccession } from "../successor/successor.sample.ts";

const house = await testHouse();
const { shop, pool, room, lease, preview, all, change, held, sound } = await aSuccession(house);
const START = "2026-03-01";
const LIVES = cases(4);

const life = fc.record({
  kind: fc.constantFrom("room", "tenant"),
  basis: fc.constantFrom("actual", "30", "365"),
  cycleMonths: fc.constantFrom(1, 2, 3, 6, 12, 0),
  rent: fc.integer({ min: 300_000, max: 2_000_000 }),
  /** How many bills are paid, the deposit among them. */
  paid: fc.nat({ max: 14 }),
  day: fc.integer({ min: 1, max: 364 }),
  ahead: fc.integer({ min: 0, max: 7 }),
  deposit: fc.constantFrom("carry", "refund"),
  credit: fc.constantFrom("carry", "refund"),
});

/** Rent as it stands on the bills of a contract, and what was paid on all of them. */
async function booked(contractId: number) {
  const { rows } = await pool.query<{ rent: string; settled: string }>(
    `select coalesce(sum(l.amount + l.adjusted) filter (where s.code = 'rent'), 0) rent, coalesce(sum(l.settled), 0) settled
     from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
     where b.contract_id = $1 and b.voided_at is null and l.kind = 'normal'`,
    [contractId],
  );
  return { rent: Number(rows[0]!.rent), settled: Number(rows[0]!.settled) };
}
const sumOf = async (text: string, values: unknown[]) => Number((await pool.query(text, values)).rows[0].fen);

test(
  "at the same rent both contracts cost what one would have; what was paid is kept, carried or given back to the fen",
  { timeout: 20_000 + LIVES.numRuns * 20_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ kind, basis, cycleMonths, rent, paid, ...one }) => {
        const effectiveOn: Day = addDays(START, one.day);
        const old = await lease({ start: START, rent, basis, cycleMonths: cycleMonths as 1 }, paid);
        const whole = (await booked(old.id)).rent;
        const paidBefore = await sumOf("select coalesce(sum(amount), 0) fen from flow where party_id = $1", [
          old.partyId,
        ]);
        const signedOn = minDay(addDays(effectiveOn, one.ahead), "2027-03-01");
        house.setClock(`${signedOn}T10:00:00+08:00`);
        await acting(house, (act) => issueDue(act));
        const asked = await change({
          contractId: old.id,
          kind: kind as "room",
          effectiveOn,
          deposit: one.deposit as "carry",
          credit: one.credit as "carry",
          ...(kind === "room"
            ? { roomId: await room(), monthlyRent: rent }
            : { partyId: await aRenter(house, shop.villageId), arrearsReason: "留在原合同" }),
        });
        const shown = await preview(C, asked.id);
        await all(C, asked.id, signedOn);

        const [before, after] = [await booked(old.id), await booked(asked.contractId)];
        expect(before.rent + after.rent).toBe(whole);
        const back = await sumOf("select coalesce(sum(amount), 0) fen from refund where party_id = $1", [
          old.partyId,
        ]);
        const prepaid = await sumOf(
          "select coalesce(sum(balance), 0) fen from party_balance where party_id = $1",
          [old.partyId],
        );
        const paidOn = before.settled + after.settled;
        expect({ back, paid: paidOn + prepaid + (one.credit === "refund" ? shown.credit : 0) }).toEqual({
          back: shown.refund,
          paid: paidBefore,
        });
        const over = shown.held - shown.back;
        expect([await held(old.id), await held(asked.contractId)]).toEqual([0, over]);
        const { rows } = await pool.query(
          "select coalesce(sum(outstanding), 0)::int owed from bill where contract_id = $1 and due_date < $2",
          [old.id, effectiveOn],
        );
        expect(rows[0].owed).toBe(shown.arrears);
        expect(await sound()).toEqual([]);
      }),
      LIVES,
    );
  },
);
