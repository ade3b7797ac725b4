import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { voidBills } from "../bill/bill.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { readBills } from "../bill/bills.queries.ts";
import { writeOffBill } from "../bill-acts/writeoff.service.ts";
import { reverseFlow, takeBack, usePrepaid } from "../flow/allocate.service.ts";
import { bookCost, payCost } from "../flow/booking.service.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { setBilling } from "../setting/setting.service.ts";
import { foldSums } from "../sums/sums.service.ts";
import { checkLedger } from "./check.service.ts";

const house = await testHouse();
const { db, pool } = house.database;
const START = "2026-03-01";

/** One thing that happens: what, to which of the records there are, and how much of it. */
const acts = fc.array(
  fc.record({
    what: fc.constantFrom(
      "bill",
      "bill",
      "take",
      "take",
      "prepay",
      "adjust",
      "undo",
      "reverse",
      "void",
      "use",
      "day",
      "writeOff",
      "cost",
    ),
    pick: fc.nat({ max: 1000 }),
    percent: fc.integer({ min: 1, max: 130 }),
  }),
  { minLength: 5, maxLength: 25 },
);

/** A fee that was written, fell with its principal, and is paid in full. */
const FALLEN_FEE = ["bill", "take", "bill", "bill", "adjust", "bill", "take"].map((what, i) => ({
  what: what as "bill",
  pick: 0,
  percent: i === 6 ? 100 : 1,
}));

test(
  "whatever happens in whatever order, money is conserved and every kept sum is what the records say",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const store = await aStore(house);
        await setBilling(
          { tx: db },
          { enterpriseId: house.enterpriseId, villageId: store.villageId },
          { writeOffMinDays: 5 },
        );
        const accounts = await someAccounts(house, store);
        const partyId = await aParty(house);
        const contractId = await aContract(house, store, partyId);
        const world = { store, accounts, partyId, contractId, day: START };
        for (const step of sequence) {
          house.setClock(`${world.day}T10:00:00+08:00`);
          await perform(world, step).catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
          });
        }
        // the sums say the same before and after they are folded
        if (sequence.length % 2) await foldSums(db);
        const { results, breaks } = await acting(house, (act) => checkLedger(act, "manual"));
        expect(breaks).toEqual([]);
        expect(results.find((r) => r.code === "C01")).toMatchObject({ breaks: 0 });
      }),
      { ...cases(25), examples: [[FALLEN_FEE]] },
    );
    // the sequences did reach every kind of entry
    const { rows } = await pool.query<{ event: string }>(
      "select distinct event from journal_entry order by 1",
    );
    expect(rows.map((r) => r.event)).toEqual(
      "E01 E02 E03 E04 E05 E06 E07 E08 E09 E10 E11 E25 E26".split(" "),
    );
  },
);

type World = {
  store: Awaited<ReturnType<typeof aStore>>;
  accounts: Awaited<ReturnType<typeof someAccounts>>;
  partyId: number;
  contractId: number;
  day: string;
};

async function perform(
  world: World,
  { what, pick, percent }: { what: string; pick: number; percent: number },
): Promise<void> {
  const { store, accounts, partyId, contractId, day } = world;
  const one = async (table: string, where: string) => {
    const { rows } = await pool.query<{ id: number }>(
      `select id from ${table} where village_id = $1 and ${where} order by id`,
      [store.villageId],
    );
    return rows.length ? rows[pick % rows.length]!.id : undefined;
  };
  const billId = await one("bill", "voided_at is null and direction = 'receivable'");
  const flowId = await one("flow", "state = 'confirmed' and direction = 'in'");
  const bill = billId ? (await readBills({ tx: db }, [billId]))[0]! : undefined;
  const paidAt = `${addDays(day, -(pick % 4))}T09:00:00+08:00`;
  const channel = pick % 3 ? ("wechat" as const) : ("cash" as const);
  switch (what) {
    case "bill":
      await aBill(house, store, partyId, {
        contractId,
        dueDate: addDays(day, (pick % 30) - 20),
        periodEnd: addDays(day, (pick % 30) - 20),
        lines: [
          aLine("rent", percent * 1000 + (pick % 100)),
          aLine(pick % 2 ? "deposit" : "electric", 5000 + pick, { slices: [] }),
          aLine("rent", -(pick % 500), { kind: "adjust", reason: "优惠" }),
        ].filter((l) => l.amount !== 0),
      });
      break;
    case "take":
      if (bill)
        await take(house, store, accounts, partyId, {
          amount: Math.max(1, Math.floor((bill.outstanding * percent) / 100)),
          paidAt,
          channel,
          bills: [bill.id],
          usePrepaid: pick % 2 === 0,
        });
      break;
    case "prepay":
      await take(house, store, accounts, partyId, { amount: percent * 500, paidAt, channel });
      break;
    case "adjust":
      if (bill?.lines[0])
        await acting(house, (act) =>
          adjustLines(act, [
            {
              lineId: bill.lines[0]!.id,
              amount: Math.floor((bill.lines[0]!.amount * (percent - 80)) / 100) || 1,
              reason: "调整",
            },
          ]),
        );
      break;
    case "undo": {
      const { rows } = await pool.query<{ id: number; flow_id: number }>(
        `select id, flow_id from allocation_standing where village_id = $1 and kind = 'money'
           and flow_id in (select id from flow where direction = 'in') order by id`,
        [store.villageId],
      );
      const row = rows[pick % Math.max(1, rows.length)];
      if (row) await acting(house, (act) => takeBack(act, row.flow_id, row.id));
      break;
    }
    case "reverse":
      if (flowId) await acting(house, (act) => reverseFlow(act, flowId, "冲销"));
      break;
    case "void":
      if (billId) await acting(house, (act) => voidBills(act, [billId], "作废"));
      break;
    case "use":
      await acting(house, (act) => usePrepaid(act, { villageId: store.villageId, partyId }));
      break;
    case "day":
      world.day = addDays(day, 1 + (pick % 15));
      house.setClock(`${world.day}T00:10:00+08:00`);
      await acting(house, (act) => issueDue(act));
      break;
    case "writeOff":
      if (billId) await acting(house, (act) => writeOffBill(act, billId, "无法收回"));
      break;
    case "cost": {
      const { db: tx } = house.database;
      const subject = await tx
        .selectFrom("feeSubject")
        .select("id")
        .where("code", "=", "cleaningCost")
        .executeTakeFirstOrThrow();
      const amount = percent * 100;
      const month = { periodStart: day, periodEnd: day, dueDate: day };
      await acting(house, async (act) => {
        const of = {
          villageId: store.villageId,
          payeeName: "洁净保洁",
          feeSubjectId: subject.id,
          amount,
          ...month,
        };
        const made = await bookCost(act, of);
        const payment = {
          amount: Math.ceil(amount / 2),
          channel,
          merchantAccountId: accounts[channel],
          paidAt,
        };
        await payCost(act, made.id, payment);
      });
    }
  }
}
