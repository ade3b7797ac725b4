import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { voidBills } from "../bill/bill.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { checkLedger } from "../check/check.service.ts";
import { aConf } from "../einvoice/einvoice.sample.ts";
import type { Behaviour } from "../einvoice/einvoice.rules.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { apply } from "./apply.service.ts";
import { applyRed, drop, issue, redPreview, retry } from "./issue.service.ts";
import { linesOf, readInvoice } from "./invoice.queries.ts";
import { PERSON } from "./invoice.sample.ts";
import { chargedLines } from "./lines.queries.ts";
import { tend } from "./tend.service.ts";

const house = await testHouse();
const { pool } = house.database;
house.setClock("2026-03-15T10:00:00+08:00");
const store = await aStore(house);
const accounts = await someAccounts(house, store);
const conf = await aConf(house, [store.villageId], { invoiceBasis: "either", perInvoiceLimit: 250_000 });

type World = { billId: number; lineId: number; partyId: number; minute: number };
const who = { ...nobody, villages: [store.villageId] };
const BUYER = {
  ...PERSON,
  taxNo: "",
  addressPhone: "",
  bankAccount: "",
  receiverEmail: "",
  crossCity: false,
  certificateNo: "",
  remark: "",
};

const of = async (
  { lineId }: World,
  states: string[],
  direction = "blue",
  pick = 0,
): Promise<number | undefined> => {
  const { rows } = await pool.query<{ id: number }>(
    `select distinct i.id from invoice i join invoice_line y on y.invoice_id = i.id
     where y.bill_line_id = $1 and i.state = any($2) and i.direction = $3 order by i.id`,
    [lineId, states, direction],
  );
  return rows[pick % Math.max(rows.length, 1)]?.id;
};

const ACTS: Record<string, (world: World, pick: number) => Promise<unknown>> = {
  pay: async ({ billId, partyId }, pick) => {
    const { rows } = await pool.query<{ open: number }>(
      "select outstanding::int open from bill where id = $1",
      [billId],
    );
    const amount = Math.min(rows[0]!.open, 1 + pick * 400);
    if (amount > 0)
      await take(house, store, accounts, partyId, {
        amount,
        paidAt: "2026-03-15T09:00:00+08:00",
        bills: [billId],
      });
  },
  adjust: ({ lineId }, pick) =>
    acting(house, (act) =>
      adjustLines(act, [{ lineId, amount: pick % 2 ? -pick * 50 : pick * 20 || 1, reason: "调整" }]),
    ),
  void: ({ billId }) => acting(house, (act) => voidBills(act, [billId], "重开")),
  apply: ({ lineId }, pick) =>
    acting(house, async (act) => {
      const [line] = await chargedLines({ ...act, who }, [lineId]);
      const amount = Math.max(1, Math.floor((line!.available * ((pick % 3) + 1)) / 3));
      return apply(act, { ...BUYER, lines: [{ lineId, amount }] });
    }),
  issue: async (world, pick) => {
    const id = await of(world, ["applied"], "blue", pick);
    if (!id) return;
    await acting(house, async (act) => issue(act, (await readInvoice(act, id, { lock: true }))!));
    await tend(house, id);
  },
  ask: async (world, pick) => {
    const id = (await of(world, ["issuing"], "blue", pick)) ?? (await of(world, ["issuing"], "red", pick));
    if (id) await Promise.all([tend(house, id), tend(house, id)]);
  },
  drop: async (world, pick) => {
    const id = await of(world, ["applied", "failed"], "blue", pick);
    if (id)
      await acting(house, async (act) =>
        drop(act, (await readInvoice(act, id, { lock: true }))!, "cancelled", "不用了"),
      );
  },
  retry: async (world, pick) => {
    const id = (await of(world, ["failed"], "blue", pick)) ?? (await of(world, ["failed"], "red", pick));
    if (!id) return;
    await acting(house, async (act) => {
      const { version } = (await readInvoice(act, id))!;
      await retry({ ...act, who }, id, { version });
    });
    await tend(house, id);
  },
  red: async (world, pick) => {
    const id = await of(world, ["issued", "partRed"], "blue", pick);
    if (!id) return;
    const red = await acting(house, async (act) => {
      const blue = (await readInvoice(act, id))!;
      const [first] = await linesOf(act, id);
      const rest = first!.amount - first!.redAmount;
      const lines = [{ lineId: first!.id, amount: Math.max(1, Math.floor((rest * ((pick % 3) + 1)) / 3)) }];
      const { hash } = await redPreview(act, blue, lines);
      return applyRed({ ...act, who }, id, {
        version: blue.version,
        reason: "04",
        lines,
        remark: "",
        previewHash: hash,
      });
    });
    await tend(house, red.id);
  },
};
const BEHAVIOURS: readonly Behaviour[] = ["normal", "normal", "delay", "refuse", "timeout", "twice"];

/** What a provider refused is not sent again for a bill that is void by then. */
const VOIDED = [
  { what: "apply", pick: 75 },
  { what: "issue", pick: 561 },
  { what: "void", pick: 638 },
  { what: "retry", pick: 996 },
];
/** Issued, asked about and reddened: what every run reaches. */
const WHOLE = ["apply", "issue", "ask", "red"].map((what) => ({ what, pick: 0 }));
const step = fc.record({
  what: fc.constantFrom("apply", "apply", "issue", "issue", "ask", "red", ...Object.keys(ACTS)),
  pick: fc.nat({ max: 999 }),
});

test(
  "whatever happens around invoices, no line bears more than it came to and the tax is what was made of it",
  { timeout: 240_000 },
  async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 18 }), async (steps) => {
        const partyId = await aParty(house);
        const contractId = await aContract(house, store, partyId);
        const billId = await aBill(house, store, partyId, {
          contractId,
          dueDate: "2026-03-10",
          lines: [
            aLine("rent", 300_000, { slices: [{ from: "2026-03-01", to: "2026-03-31", amount: 300_000 }] }),
          ],
        });
        const { rows } = await pool.query<{ id: number }>("select id from bill_line where bill_id = $1", [
          billId,
        ]);
        const world: World = { billId, lineId: rows[0]!.id, partyId, minute: 0 };
        for (const { what, pick } of steps) {
          world.minute += 3;
          house.setClock(
            new Date(Date.parse("2026-03-15T10:00:00+08:00") + world.minute * 60_000).toISOString(),
          );
          await pool.query("update einvoice_config set behaviour = $1 where id = $2", [
            BEHAVIOURS[pick % BEHAVIOURS.length],
            conf.id,
          ]);
          const said = await ACTS[what]!(world, pick).then(
            () => "done",
            (error: unknown) => {
              if (!(error instanceof Refusal)) throw error;
              return "refused";
            },
          );
          reached.add(`${what} ${said}`);
        }
        const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
        expect(breaks).toEqual([]);
        const made = await pool.query<{ n: number }>(
          "select count(*)::int n from (select serial_no from einvoice_sample group by 1 having count(*) > 1) x",
        );
        expect(made.rows[0]!.n).toBe(0);
      }),
      { ...cases(4), examples: [[VOIDED], [WHOLE]] },
    );
    expect([...reached]).toEqual(
      expect.arrayContaining(["apply done", "issue done", "red done", "ask done"]),
    );
  },
);
