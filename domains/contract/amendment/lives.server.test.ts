import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, aRoom, signed } from "../contract/contract.sample.ts";
import { recordById } from "../contract/record.queries.ts";
import { planBills } from "../schedule/bills.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import { amendActs } from "./amendment.contract.ts";
import { anAmender } from "./amendment.sample.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as, pool } = at;
const START = "2026-03-01";
const LIVES = cases(5);
const property = Number((await pool.query("select id from fee_subject where code = 'property'")).rows[0].id);
let rooms = 0;

const amendment = fc.record({
  day: fc.integer({ min: 1, max: 330 }),
  rent: fc.option(fc.integer({ min: 100, max: 2_000_000 }), { freq: 4 }),
  percent: fc.option(fc.constantFrom("5", "-7.5", "33.33")),
  free: fc.option(fc.integer({ min: 0, max: 25 })),
  fee: fc.option(fc.integer({ min: 1, max: 50_000 })),
  endFee: fc.boolean(),
  grace: fc.option(fc.integer({ min: 0, max: 60 })),
  /** Days by which the end moves. */
  end: fc.option(fc.integer({ min: -20, max: 360 })),
  dueDay: fc.option(fc.integer({ min: 1, max: 31 })),
  /** Bills that are paid before it, and how much of the last of them. */
  paid: fc.nat({ max: 5 }),
  part: fc.boolean(),
});
const life = fc.record({
  cycleMonths: fc.constantFrom(1, 2, 3, 6, 12, 0),
  basis: fc.constantFrom("actual", "30", "365"),
  rent: fc.integer({ min: 100, max: 2_000_000 }),
  fee: fc.integer({ min: 1, max: 50_000 }),
  prorate: fc.boolean(),
  calendarPeriods: fc.boolean(),
  rise: fc.boolean(),
  off: fc.boolean(),
  first: amendment,
  second: amendment,
});
type Amendment = typeof amendment extends fc.Arbitrary<infer A> ? A : never;

const draftOf = (a: Amendment, end: string) => {
  const effectiveOn = addDays(START, a.day);
  const rises = [
    ...(a.rent ? [{ fromDate: effectiveOn, rent: a.rent }] : []),
    ...(a.percent ? [{ fromDate: addDays(effectiveOn, a.rent ? 20 : 0), percent: a.percent }] : []),
  ];
  return {
    effectiveOn,
    reason: "协商变更",
    // something always changes
    noticeDays: a.day % 180,
    holdoverPercent: 100 + (a.day % 200),
    rises,
    ...(a.free !== null && { free: [{ fromDate: effectiveOn, toDate: addDays(effectiveOn, a.free) }] }),
    ...(a.endFee && { endFees: [property] }),
    ...(a.fee && a.endFee && { fees: [{ feeId: property, kind: "recurring", amount: a.fee }] }),
    ...(a.grace !== null && { graceDays: a.grace }),
    ...(a.end !== null && { end: addDays(end, a.end) }),
    ...(a.dueDay !== null && { dueRule: "fixedDay", dueDay: a.dueDay }),
  };
};

/** Everything that an undo must bring back, without ids and numbers. */
async function state(contractId: number) {
  const ask = async (text: string) => (await pool.query(text, [contractId])).rows;
  return {
    // late fee follows from the days: it is written with payments and not taken back
    bills: await ask(`select title, due_date::text, grace_days from bill
      where contract_id = $1 and voided_at is null order by due_date, title`),
    lines:
      await ask(`select l.fee_subject_id::int fee, l.period_start::text "from", sum(l.amount + l.adjusted)::int net, sum(l.settled)::int settled
      from bill_line l join bill b on b.id = l.bill_id where b.contract_id = $1 and b.voided_at is null and l.kind = 'normal'
      group by 1, 2 having sum(l.amount + l.adjusted) <> 0 order by 1, 2`),
    prepaid: await ask(
      "select balance from party_balance p join contract c on c.party_id = p.party_id where c.id = $1 and balance <> 0",
    ),
    contract: await ask(
      "select terms, terms_version, end_date::text, monthly_rent, current_rent, net_rent, deposit_amount from contract where id = $1",
    ),
    rooms: await ask("select period::text from occupancy_row where contract_id = $1"),
    versions: await ask("select version from contract_terms where contract_id = $1 order by 1"),
  };
}

test(
  "amended, paid and amended again: bills add up to the plan, the books hold, and an undo leaves what was before",
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async (l) => {
        at.on(START);
        const roomId = await aRoom(house, shop.building, `L${++rooms}`);
        const partyId = await aRenter(house, shop.villageId);
        const form = aForm({ ...shop, roomId, partyId }, {
          start: START,
          rent: l.rent,
          cycleMonths: l.cycleMonths,
          basis: l.basis,
          calendarPeriods: l.calendarPeriods,
          fees: [{ feeId: property, name: "物业费", kind: "recurring", amount: l.fee, prorate: l.prorate }],
          stepRule: l.rise ? { every: 5, unit: "month", mode: "percentCompound", value: "3" } : null,
          discounts: l.off
            ? [
                {
                  name: "新签优惠",
                  kind: "percent",
                  value: "5",
                  order: 1,
                  fromMonth: 1,
                  toMonth: 8,
                  reason: "",
                },
              ]
            : [],
        } as Partial<ContractForm>);
        const { id } = await signed(house, as, form, START);
        const agrees = async () => {
          const contract = (await recordById({ tx: house.database.db }, id))!;
          const plan = planBills(scheduleOf({ ...contract, start: contract.start!, end: contract.end! }));
          const planned = plan.bills.reduce((sum, b) => sum + b.amount, 0);
          // late fee that was written down with a payment is no charge of the plan
          const { rows } = await pool.query(
            `select sum(l.amount + l.adjusted)::int fen from bill_line l join bill b on b.id = l.bill_id
             where b.contract_id = $1 and b.voided_at is null and l.kind = 'normal'`,
            [id],
          );
          expect(rows[0].fen).toBe(planned);
          expect(await at.sound()).toEqual([]);
        };
        const paying = async ({ paid, part }: Amendment) => {
          const open = (await at.bills(id)).filter((b) => b.open > 0).slice(0, paid);
          const sum = open.reduce((total, b) => total + b.open, 0);
          const amount = part && open.length ? sum - Math.floor(open.at(-1)!.open / 2) : sum;
          if (amount)
            await at.pay(
              partyId,
              open.map((b) => b.id),
              amount,
            );
        };
        /** The act, or nothing where such a change cannot be agreed. */
        const amend = async (a: Amendment): Promise<number | undefined> => {
          const day = addDays(START, Math.max(0, a.day - 10));
          if (day > at.today()) at.on(day);
          await acting(house, (act) => issueDue(act));
          await paying(a);
          const { end } = await at.contract(id);
          const draft = draftOf(a, end);
          const answer = await house.ask(
            amendActs.trial,
            { as },
            { body: { contractId: id, ...draft } as never },
          );
          if (answer.status === 400) return undefined;
          expect([answer.status, answer.body.data?.obstacles]).toEqual([200, []]);
          return at.done(amendActs, id, draft);
        };
        await amend(l.first);
        await agrees();
        await paying(l.second);
        const before = await state(id);
        const second = await amend({ ...l.second, paid: 0 });
        await agrees();
        if (!second) return;
        expect(await at.undone(amendActs, second)).toMatchObject({ status: 200 });
        expect(await state(id)).toEqual(before);
        await agrees();
      }),
      LIVES,
    );
  },
  LIVES.numRuns * 20_000,
);
