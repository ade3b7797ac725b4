import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import {
  addDays,
  addToMonth,
  type Day,
  daysInMonth,
  firstOf,
  minDay,
  monthOf,
} from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import type { ActCalls } from "../act/act.contract.ts";
import { amendActs } from "../amendment/amendment.contract.ts";
import { aScan } from "../contract/contract.sample.ts";
import { endAfter } from "../schedule/months.rules.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import { everythingOf } from "../settlement/settlement.sample.ts";
import { C, R, aSuccession } from "../successor/successor.sample.ts";

const house = await testHouse();
const at = await aSuccession(house);
const { pool, shop, accounts } = at;
const as = await house.person({
  permits: ["#903", "#904", "9.query", "9.get", "72.query", "72.get", "72.add", "72.edit", "#7202", "#7204"],
  villages: [shop.villageId],
});
const START = "2026-03-01";
const LIVES = cases(4);

const life = fc.record({
  cycleMonths: fc.constantFrom(1, 3, 6, 0),
  basis: fc.constantFrom("actual", "30", "365"),
  rent: fc.integer({ min: 10_000, max: 900_000 }),
  deposit: fc.constantFrom("0", "1", "2"),
  paid: fc.integer({ min: 0, max: 4 }),
  amended: fc.option(
    fc.record({ day: fc.integer({ min: 5, max: 60 }), rent: fc.integer({ min: 10_000, max: 900_000 }) }),
  ),
  moved: fc.option(
    fc.record({ day: fc.integer({ min: 62, max: 120 }), rent: fc.integer({ min: 10_000, max: 900_000 }) }),
  ),
  /** What becomes of a deposit that is asked for no more. */
  rest: fc.constantFrom("refund", "bills"),
  renewed: fc.option(fc.record({ months: fc.constantFrom(3, 6, 12) })),
  /** Days lived in the last contract. */
  stays: fc.integer({ min: 1, max: 400 }),
  damage: fc.nat({ max: 300_000 }),
  back: fc.boolean(),
});

/** A change of room after an amendment: of a payment that was partly too much the rest pays its bill again. */
const PAID_AGAIN = {
  cycleMonths: 6,
  basis: "365",
  rent: 461_536,
  deposit: "0",
  paid: 1,
  amended: { day: 36, rent: 899_992 },
  moved: { day: 67, rent: 10_011 },
  rest: "bills",
  renewed: null,
  stays: 285,
  damage: 0,
  back: false,
} as const;

let now = START;
async function on(day: string): Promise<void> {
  now = day;
  house.setClock(`${day}T10:00:00+08:00`);
  await acting(house, (act) => issueDue(act));
}
const rows = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
  (await pool.query(text, values)).rows as T[];

/** Asks for an act, hands it in, has it signed on paper and carries it out. */
async function done(calls: ActCalls, contractId: number, draft: object): Promise<number> {
  const { id } = await house.did(calls.ask, { as }, { body: { contractId, ...draft } as never });
  const params = { id };
  const version = async () =>
    Number(
      (await rows<{ version: string }>("select version from contract_act where id = $1", id))[0]!.version,
    );
  const { previewHash } = (await house.did(calls.preview, { as }, { params, body: {} })) as {
    previewHash: string;
  };
  await house.did(calls.submit, { as }, { params, body: { version: await version(), previewHash } });
  const paper = { how: "paper" as const, note: "双方已签字", fileIds: [await aScan(house, as)] };
  await house.did(calls.agree, { as }, { params, body: { version: await version(), ...paper } });
  const fresh = (await house.did(calls.preview, { as }, { params, body: {} })) as { previewHash: string };
  const confirmed = await house.ask(
    calls.confirm,
    { as, key: randomUUID() },
    { params, body: { version: await version(), previewHash: fresh.previewHash } },
  );
  expect(confirmed.body).toMatchObject({ code: 200 });
  return id;
}

async function pays(contractId: number, partyId: number, most: number): Promise<void> {
  const bills = await rows<{ id: number; open: number }>(
    `select id::int, outstanding::int open from bill where contract_id = $1 and voided_at is null and outstanding > 0
     order by due_date, id limit $2`,
    contractId,
    most,
  );
  const amount = bills.reduce((sum, b) => sum + b.open, 0);
  if (!amount) return;
  await take(house, shop as never, accounts, partyId, {
    amount,
    paidAt: `${now}T09:00:00+08:00`,
    bills: bills.map((b) => b.id),
    channel: "cash",
  });
}

/** What a tenant ever paid, and where it is: kept for what was charged, held, prepaid, or given back. */
async function money(partyId: number) {
  const [row] = await rows<Record<"paid" | "kept" | "held" | "prepaid" | "back", string>>(
    `select
      (select coalesce(sum(amount), 0) from flow where party_id = $1 and direction = 'in') paid,
      (select coalesce(sum(l.settled), 0) from bill_line l join bill b on b.id = l.bill_id join fee_subject s on s.id = l.fee_subject_id
        where b.party_id = $1 and s.kind <> 'deposit') kept,
      (select coalesce(sum(d.held), 0) from deposit_balance d join contract c on c.id = d.contract_id where c.party_id = $1) held,
      (select coalesce(sum(balance), 0) from party_balance where party_id = $1 and kind = 'prepaid') prepaid,
      (select coalesce(sum(amount), 0) from refund where party_id = $1 and state not in ('cancelled', 'rejected')) back`,
    partyId,
  );
  return Object.fromEntries(Object.entries(row!).map(([key, fen]) => [key, Number(fen)])) as Record<
    "paid" | "kept" | "held" | "prepaid" | "back",
    number
  >;
}
/** A contract as it was lived in: its days, the last one charged, and what a month costs from a day on, in fen. */
type Let = { id: number; from: Day; to: Day; rents: { from: Day; rent: number }[] };

/**
 * What the days of a contract cost, a whole month its rent and a part of one its share; fen are rounded on what the month has come to
 * so far, the days before the contract counted at its first rent. Months are those of the calendar here.
 */
function priceOf({ from, to, rents }: Let, basis: string): number {
  let total = 0;
  for (let month = monthOf(from); month <= monthOf(to); month = addToMonth(month, 1)) {
    const days = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)));
    const of = basis === "actual" ? days : Number(basis);
    const share = (n: number) => (n === days ? of : basis === "365" ? 12 * n : Math.min(n, of));
    let [sum, before] = [0, 0];
    for (let n = 1; n <= days; n++) {
      const day = addDays(firstOf(month), n - 1);
      if (day > to) break;
      const { rent } = rents.findLast((r) => r.from <= day) ?? rents[0]!;
      sum += rent * (share(n) - share(n - 1));
      if (day < from) before = sum;
    }
    total += Math.round(sum / of) - Math.round(before / of);
  }
  return total;
}

/** Rent that stands on the bills of a contract, what its leaving charges apart. */
async function billed(contractId: number): Promise<number> {
  const [row] = await rows<{ fen: string }>(
    `select coalesce(sum(l.amount + l.adjusted), 0) fen
     from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
     where b.contract_id = $1 and b.voided_at is null and b.source <> 'settlement' and l.kind = 'normal' and s.code = 'rent'`,
    contractId,
  );
  return Number(row!.fen);
}

/** Rooms that two contracts have on one day. */
const LET_TWICE = `select a.room_id from contract_room a join contract c on c.id = a.contract_id
  join contract_room b on b.room_id = a.room_id and b.contract_id > a.contract_id join contract d on d.id = b.contract_id
  where c.signed_on is not null and d.signed_on is not null
    and daterange(c.start_date, least(c.leave_date, c.end_date), '[]') && daterange(d.start_date, least(d.leave_date, d.end_date), '[]')`;

async function whole(partyId: number, basis: string, lets: readonly Let[]): Promise<void> {
  const { paid, kept, held, prepaid, back } = await money(partyId);
  expect(kept + held + prepaid + back).toBe(paid);
  for (const one of lets) expect(await billed(one.id)).toBe(priceOf(one, basis));
  expect(await rows(LET_TWICE)).toEqual([]);
  expect(await at.sound()).toEqual([]);
}

test(
  "whatever a tenancy was, each day is billed at its price, what was kept, is held and was given back is what was paid, no room is let twice, the books hold, and an undo leaves what was before",
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async (l) => {
        const lease = await at.lease(
          {
            start: START,
            months: 6,
            rent: l.rent,
            cycleMonths: l.cycleMonths as 1,
            basis: l.basis as "30",
            deposit: { mode: "months", months: l.deposit },
            penaltyRule: "months",
            penaltyMonths: "1",
          },
          0,
        );
        const { partyId } = lease;
        let id = lease.id;
        let [start, end] = [START, endAfter(START, 6)];
        const lets: [Let, ...Let[]] = [{ id, from: START, to: end, rents: [{ from: START, rent: l.rent }] }];
        const holds = () => whole(partyId, l.basis, lets);
        await on(START);
        await pays(id, partyId, l.paid);
        await holds();
        if (l.amended) {
          const effectiveOn = addDays(START, l.amended.day);
          await on(effectiveOn);
          await done(amendActs as never, id, {
            effectiveOn,
            reason: "协商调整租金",
            rises: [{ fromDate: effectiveOn, rent: l.amended.rent }],
          });
          lets[0].rents.push({ from: effectiveOn, rent: l.amended.rent });
          await holds();
        }
        if (l.moved) {
          const effectiveOn = addDays(START, l.moved.day);
          await on(effectiveOn);
          const roomId = await at.room();
          const asked = await at.change({
            contractId: id,
            kind: "room",
            effectiveOn,
            roomId,
            monthlyRent: l.moved.rent,
            rest: l.rest as "bills",
          });
          await at.all(C, asked.id, effectiveOn);
          [id, start] = [asked.contractId, effectiveOn];
          lets[0].to = addDays(effectiveOn, -1);
          lets.push({ id, from: effectiveOn, to: end, rents: [{ from: effectiveOn, rent: l.moved.rent }] });
          await holds();
          await pays(id, partyId, 2);
        }
        if (l.renewed) {
          await on(addDays(end, -20));
          const next = endAfter(addDays(end, 1), l.renewed.months);
          const asked = await at.renew({ contractId: id, end: next, rest: l.rest as "bills" });
          await at.all(R, asked.id, now);
          [id, start, end] = [asked.contractId, addDays(end, 1), next];
          const { rent } = lets.at(-1)!.rents.at(-1)!;
          lets.push({ id, from: start, to: end, rents: [{ from: start, rent }] });
          await holds();
          await pays(id, partyId, 2);
          await on(start);
        }
        const effectiveOn = minDay(addDays(start, l.stays), end);
        await on(effectiveOn > now ? effectiveOn : now);
        const everything = async () => [
          await money(partyId),
          await Promise.all(lets.map((one) => everythingOf(pool, one.id))),
        ];
        const before = await everything();
        const settle = await done(settlementActs as never, id, {
          effectiveOn: now,
          endReason: now < end ? "early" : "normal",
          reason: "搬离本市",
          penaltyReason: "",
          charges: l.damage
            ? [
                {
                  kind: "damage",
                  feeId: Number(
                    (await rows<{ id: string }>("select id from fee_subject where code = 'damage'"))[0]!.id,
                  ),
                  title: "墙面修复",
                  amount: l.damage,
                  clause: "房屋交还",
                  note: "墙面划痕",
                },
              ]
            : [],
        });
        lets.at(-1)!.to = now;
        await holds();
        const [{ held }] = (await rows<{ held: string }>(
          "select coalesce(sum(held), 0) held from deposit_balance where contract_id = $1",
          id,
        )) as [{ held: string }];
        expect(Number(held)).toBe(0);
        if (!l.back) return;
        const [{ version }] = (await rows<{ version: string }>(
          "select version from contract_act where id = $1",
          settle,
        )) as [{ version: string }];
        const undone = await house.ask(
          settlementActs.undo,
          { as, key: randomUUID() },
          { params: { id: settle }, body: { version: Number(version), reason: "租客继续租住" } },
        );
        expect(undone.body).toMatchObject({ code: 200 });
        expect(await everything()).toEqual(before);
        lets.at(-1)!.to = end;
        await holds();
      }),
      { ...LIVES, examples: [[PAID_AGAIN]] },
    );
  },
  LIVES.numRuns * 20_000,
);
