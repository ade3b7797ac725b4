import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { addDays, dayInZone, daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { collectionDetail, dailyCollection } from "../collection/collection.contract.ts";
import { CHANNEL_COLUMNS } from "../collection/collection.rules.ts";
import { anyMonth, happen } from "./any-month.sample.ts";
import { owingReport, owingSummary } from "./owing.contract.ts";
import { ageOf, AGES } from "./owing.rules.ts";

const house = await testHouse();
const { pool } = house.database;
const as = await house.person({ superType: "1" });

type Dated = { id: number; issue_date: Day; due_date: Day; party_id: number; void_at: string | null };

/** What each bill owed at the end of a day, added up anew from its lines and what was paid or given up on it. */
async function recomputed(villageId: number) {
  const read = async <R extends object>(text: string) => (await pool.query<R>(text, [villageId])).rows;
  const bills = await read<Dated>(
    `select id, issue_date, due_date, party_id, voided_at void_at from bill
     where village_id = $1 and issued_at is not null and direction = 'receivable'`,
  );
  const lines = await read<{ bill_id: number; amount: number; created_at: string }>(
    `select bill_id, l.amount, l.created_at from bill_line l join bill b on b.id = bill_id where village_id = $1`,
  );
  const paid = await read<{ bill_id: number; amount: number; date: Day }>(
    "select bill_id, amount, date from allocation where village_id = $1",
  );
  const dayOf = (at: string) => dayInZone(new Date(at));
  return (day: Day) =>
    bills
      .filter((b) => b.due_date < day && b.issue_date <= day && !(b.void_at && dayOf(b.void_at) <= day))
      .map((b) => ({
        ...b,
        owed:
          lines.reduce((n, l) => n + (l.bill_id === b.id && dayOf(l.created_at) <= day ? l.amount : 0), 0) -
          paid.reduce((n, a) => n + (a.bill_id === b.id && a.date <= day ? a.amount : 0), 0),
      }))
      .filter((b) => b.owed !== 0);
}

test(
  "whatever happened, the arrears of any past day are what the bills and payments of that day say, in every mode",
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(anyMonth, async (steps) => {
        const { villageId, from, to } = await happen(house, steps, "2026-01-10");
        const villageIds = String(villageId);
        const owedAt = await recomputed(villageId);
        const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => addDays(from, i));
        for (const day of days.filter((_, i) => i % 7 === 0 || i === days.length - 1)) {
          const bills = owedAt(day);
          const whole = bills.reduce((sum, b) => sum + b.owed, 0);
          const ages = Object.fromEntries(
            AGES.map(({ key }) => [
              key,
              bills.reduce((n, b) => n + (ageOf(b.due_date, day) === key ? b.owed : 0), 0),
            ]),
          );
          for (const mode of ["party", "bill", "subject", "room", "village"] as const) {
            const { list, sums } = await house.did(
              owingReport,
              { as },
              { query: { villageIds, day, mode, pageSize: 200 } },
            );
            expect(sums, `${mode} ${day}`).toMatchObject({ owed: whole, ...ages });
            expect(list.reduce((n, row) => n + row.owed, 0)).toBe(whole);
            if (mode === "bill")
              expect(new Map(list.map((r) => [r.id, r.owed]))).toEqual(
                new Map(bills.map((b) => [b.id, b.owed])),
              );
          }
        }
        const { months } = await house.did(owingSummary, { as }, { query: { villageIds } });
        for (const { day, owed } of months)
          expect(owed, `month end ${day}`).toBe(owedAt(day).reduce((sum, b) => sum + b.owed, 0));
      }),
      cases(8),
    );
  },
);

test(
  "takings of a day are its confirmed receipts less what was reversed that day, channel by channel",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(anyMonth, async (steps) => {
        const { villageId, from, to } = await happen(house, steps, "2026-03-01");
        const query = { villageIds: String(villageId), from: addDays(from, -10), to, pageSize: 200 };
        const { rows: flows } = await pool.query<Record<string, string | number | null>>(
          `select channel, amount, paid_on, reversed_on, fee from flow
           where village_id = $1 and kind = 'receipt' and state in ('confirmed', 'reversed')`,
          [villageId],
        );
        const taken = (day: Day, channel: string) =>
          flows
            .filter((f) => f["channel"] === channel)
            .reduce(
              (sum, f) =>
                sum +
                (f["paid_on"] === day ? Number(f["amount"]) : 0) -
                (f["reversed_on"] === day ? Number(f["amount"]) : 0),
              0,
            );
        const { list, sums } = await house.did(dailyCollection, { as }, { query });
        const events = new Set(flows.flatMap((f) => [f["paid_on"], f["reversed_on"]]).filter(Boolean));
        expect(new Set(list.map((row) => row.day))).toEqual(events);
        for (const row of list) {
          for (const channel of CHANNEL_COLUMNS)
            expect(row[channel], `${row.day} ${channel}`).toBe(taken(row.day, channel));
          expect(row.total).toBe(CHANNEL_COLUMNS.reduce((sum, channel) => sum + row[channel], 0));
          const detail = await house.did(
            collectionDetail,
            { as },
            { query: { villageIds: query.villageIds, from: row.day, to: row.day, pageSize: 200 } },
          );
          expect(detail.sums).toMatchObject({ amount: row.total, fee: row.fee });
          expect(detail.list.reduce((sum, r) => sum + r.amount, 0)).toBe(row.total);
        }
        expect(sums!.total).toBe(list.reduce((sum, row) => sum + row.total, 0));
        expect(sums!.fee).toBe(flows.reduce((sum, f) => sum + Number(f["fee"]), 0));
      }),
      cases(10),
    );
  },
);
