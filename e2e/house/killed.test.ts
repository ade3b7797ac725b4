import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../demo/generate.ts";
import { STANDARD } from "../../demo/standard.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { cases } from "../../platform/checks/cases.ts";
import { closingActs, settlingActs, strike } from "../killed-acts.sample.ts";
import { aServerToKill } from "../killed.sample.ts";

/** The real server process, killed; nothing that was answered may be lost. */
const killed = aServerToKill(8791);
const { inHouse, rowsOf, start, ready, run, stop, killAll, send, enter, expectGoodLedger } = killed;
/** How often the payments are struck; `KILLS=50` is the long round of 1,000, which changes between three ways to strike. */
const KILLS = Number(process.env.KILLS ?? 1);
const PAYMENTS = KILLS > 1 ? 1000 : 300;
/** How often each act is struck: once in `npm test`, elsewhere each time and many times under LAWS. */
const POINTS = cases(1).numRuns;
const STRIKES = { points: POINTS, share: () => (cases(1).seed === undefined ? Math.random() : 0.5) };
const JOB_POINTS = 3;
const today = dayInZone(new Date());

/** Where to strike, in turn; after the first the server is started again. */
const PARTS = [undefined, killed.killWorkers, killed.killSession];

beforeAll(() => inHouse((h) => generate(h.database, h.cipher, { ...STANDARD, rooms: 60, today })));
afterAll(killed.remove);

describe("kill -9", () => {
  test(
    "in the middle of some hundred payments loses no answered one and books none twice",
    { timeout: 240_000 + KILLS * 20_000 },
    async () => {
      await enter();
      const renters = (await rowsOf("select id from renter order by id limit 40")).map((r) => r.id!);
      const villages = await rowsOf("select party_id, min(village_id) v from party_village group by 1");
      const villageOf = new Map(villages.map((r) => [r.party_id, r.v]));
      const pay = async (i: number) => {
        const partyId = renters[i % renters.length]!;
        const receipt = {
          villageId: villageOf.get(partyId)!,
          partyId,
          amount: 100 + i,
          channel: "cash",
          merchantAccountId: 5,
          remark: `付款 ${i}`,
          wants: [],
        };
        // two payments of one person can meet: the later is shown the new preview and confirmed again, as at the counter
        for (let tries = 1; ; tries++)
          try {
            const { hash: previewHash } = await send<{ hash: string }>(
              "/billing/api/v3/flow/preview",
              receipt,
              `preview-${i}-${tries}000`,
            );
            return await send<{ id: number }>(
              "/billing/api/v3/flow/receive",
              { ...receipt, previewHash },
              `payment-${i}-0000`,
            );
          } catch (error) {
            const changed = error instanceof Error && error.message.startsWith("账单试算已变化");
            if (!changed || tries === 5) throw error;
          }
      };
      const answered = new Map<number, number>();
      const all = Array.from({ length: PAYMENTS }, (_, i) => i);
      const unanswered: unknown[] = [];
      const worker = async (queue: number[]) => {
        for (let i = queue.shift(); i !== undefined; i = queue.shift())
          try {
            answered.set(i, (await pay(i)).id);
          } catch (error) {
            // not answered: it is sent again after the restart
            unanswered.push(error);
          }
      };
      const before = new Map<number, number>();
      const left = [...all];
      for (let strike = 0; strike < KILLS; strike++) {
        const some = left.splice(0);
        const working = Promise.all(Array.from({ length: 6 }, () => worker(some)));
        await until(() => answered.size > before.size + PAYMENTS / 4 / KILLS);
        const part = PARTS[strike % PARTS.length];
        (part ?? killAll)();
        left.push(...some.splice(0));
        await working;
        for (const [i, id] of answered) before.set(i, id);
        await (part ? ready() : start());
      }
      expect(before.size).toBeLessThan(PAYMENTS);

      const again = [...all];
      unanswered.length = 0;
      await Promise.all(Array.from({ length: 6 }, () => worker(again)));
      expect(unanswered).toEqual([]);
      expect(answered.size).toBe(PAYMENTS);
      for (const [i, id] of before) expect(answered.get(i)).toBe(id);
      const booked = await rowsOf(
        "select remark, count(*)::int n from flow where remark like '付款 %' group by 1",
      );
      expect(booked).toHaveLength(PAYMENTS);
      expect(booked.filter((r) => r.n !== 1)).toEqual([]);
      await expectGoodLedger();
    },
  );

  test(
    "while a settlement is confirmed and taken back is all or nothing, and asked again it is done once",
    { timeout: 120_000 + POINTS * 120_000 },
    async () => {
      await enter();
      for (const act of Object.entries(await settlingActs(killed))) await strike(killed, act, STRIKES);
    },
  );

  test(
    "while a statement comes, a month is accrued and its vouchers are made and exported is all or nothing, too",
    { timeout: 120_000 + POINTS * 240_000 },
    async () => {
      await enter();
      const { acts, jobs } = await closingActs(killed);
      for (const act of Object.entries(acts)) await strike(killed, act, STRIKES);
      // what a job was doing waits for the heartbeat of the server that is gone: under LAWS alone
      const few = { ...STRIKES, points: Math.min(POINTS, JOB_POINTS) };
      if (POINTS > 1) for (const act of Object.entries(jobs)) await strike(killed, act, few);
      await stop();
    },
  );

  test(
    "in the middle of a bill run leaves each bill issued once or not at all",
    { timeout: 240_000 },
    async () => {
      const [planned] = await rowsOf(
        "select count(*)::int n from bill where issued_at is null and voided_at is null",
      );
      const issue = () => run("e2e/bill-run.sample.ts", `${addDays(today, 500)}T00:10:00+08:00`);
      await once(issue().stdout!, "data");
      await new Promise((resolve) => setTimeout(resolve, 60));
      killAll();
      await once(issue(), "exit");
      const [left] = await rowsOf(
        "select count(*)::int n from bill where issued_at is null and voided_at is null and issue_date <= current_date + 500",
      );
      expect(planned!.n).toBeGreaterThan(100);
      expect(left!.n).toBe(0);
      const twice = await rowsOf(
        "select source_id from journal_entry where event in ('E01', 'E02') and source_type = 'bill' group by source_id, event having count(*) > 1",
      );
      expect(twice).toEqual([]);
      await expectGoodLedger();
    },
  );
});

async function until(ready: () => boolean): Promise<void> {
  for (let i = 0; i < 1800 && !ready(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ready()).toBe(true);
}
