import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { voidBills } from "../bill/bill.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { readBills } from "../bill/bills.queries.ts";
import * as prepaid from "../flow/allocate.service.ts";
import { allocateFlow, reverseFlow, takeBack } from "../flow/allocate.service.ts";
import { confirmFlow, previewConfirm } from "../flow/pending.service.ts";
import { someAccounts, wantsOf } from "../flow/flow.sample.ts";
import { type Receipt, previewReceipt, receive } from "../flow/receive.service.ts";
import { checkLedger } from "./check.service.ts";

const house = await testHouse();
const { db, pool } = house.database;

const ACTS = {
  bill: aNewBill,
  preview: previewOne,
  receive: receivePreviewed,
  transfer: bookTransfer,
  confirm: confirmOne,
  allocate: allocateOne,
  void: voidOne,
  adjust: adjustOne,
  undo: undoOne,
  reverse: reverseOne,
  use: payFromPrepaid,
  day: nextDay,
};
type What = keyof typeof ACTS;
type World = {
  store: Awaited<ReturnType<typeof aStore>>;
  accounts: Awaited<ReturnType<typeof someAccounts>>;
  partyId: number;
  contractId: number;
  day: string;
  /** What somebody was shown and has not taken yet. */
  shown: { receipt: Receipt; hash: string }[];
};

const step = fc.record({
  what: fc.constantFrom<What>("bill", "bill", "void", "void", ...(Object.keys(ACTS) as What[])),
  pick: fc.nat({ max: 1000 }),
});
const all = (...what: What[]) => what.map((one) => ({ what: one, pick: 0 }));
/** The four ways in which a void bill was paid once. */
const PAID_ONCE = [
  all("bill", "preview", "void", "receive"),
  all("bill", "void", "preview"),
  all("bill", "transfer", "void", "confirm", "reverse"),
  all("bill", "transfer", "void", "confirm", "bill", "void", "allocate"),
];

test(
  "nothing that happens around a voiding books anything on what is void, loses money or breaks a check",
  { timeout: 180_000 },
  async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (sequence) => {
        const store = await aStore(house);
        const partyId = await aParty(house);
        const world: World = {
          store,
          accounts: await someAccounts(house, store),
          partyId,
          contractId: await aContract(house, store, partyId),
          day: "2026-03-01",
          shown: [],
        };
        for (const { what, pick } of sequence) {
          house.setClock(`${world.day}T10:00:00+08:00`);
          const said = await ACTS[what](world, pick).then(
            () => "done",
            (error: unknown) => {
              if (!(error instanceof Refusal)) throw error;
              return error.code;
            },
          );
          reached.add(`${what} ${said}`);
          await lawsHold(world);
        }
      }),
      { ...cases(15), examples: PAID_ONCE.map((sequence) => [sequence]) },
    );
    expect([...reached]).toEqual(
      expect.arrayContaining([
        "preview billVoid",
        "receive billVoid",
        "confirm done",
        "allocate billVoid",
        "void done",
      ]),
    );
  },
);

async function lawsHold({ store: { villageId } }: World): Promise<void> {
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
  const { rows } = await pool.query(
    `select
      (select count(*)::int from bill b join bill_line l on l.bill_id = b.id where b.village_id = $1
        and b.voided_at is not null and (l.outstanding <> 0 or l.settled <> 0 or b.settled <> 0)) "open",
      (select coalesce(sum(amount), 0)::int from flow where village_id = $1 and state = 'confirmed') "in",
      (select coalesce(sum(balance), 0)::int from party_balance where village_id = $1)
        + (select coalesce(sum(settled), 0)::int from bill where village_id = $1) "there"`,
    [villageId],
  );
  expect(rows[0].open).toBe(0);
  // what came in is prepaid, or has paid a bill that stands
  expect(rows[0].there).toBe(rows[0].in);
}

async function aNewBill({ store, partyId, contractId, day }: World, pick: number): Promise<void> {
  const subject = pick % 3 ? "rent" : "deposit";
  await aBill(house, store, partyId, {
    contractId,
    dueDate: addDays(day, (pick % 20) - 10),
    lines: [aLine(subject, 1_000 + pick, subject === "deposit" ? { slices: [] } : {})],
    ...(pick % 5 === 4 && {
      source: "opening",
      openedOn: day,
      lines: [aLine("rent", 2_000, { slices: [] })],
    }),
  });
}

/** One of the records of this world, the latest first; nothing where there is none. */
async function one(world: World, table: string, where: string, pick: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from ${table} where village_id = $1 and ${where} order by id desc`,
    [world.store.villageId],
  );
  if (!rows.length) throw new Refusal("none", "没有记录");
  return rows[pick % rows.length]!.id;
}
const someBill = (world: World, pick: number) => one(world, "bill", "true", pick);

async function receiptFor(world: World, pick: number, channel: "cash" | "bankTransfer"): Promise<Receipt> {
  const { store, partyId, accounts, day } = world;
  const [bill] = await readBills({ tx: db }, [await someBill(world, pick)]);
  const wants = bill!.lines.map((line) => ({ billId: bill!.id, lineId: line.id }));
  const paidAt = `${day}T09:00:00+08:00`;
  const more = { merchantAccountId: accounts[channel], paidAt, wants, usePrepaid: pick % 2 === 1 };
  return { villageId: store.villageId, partyId, channel, amount: 500 + pick, ...more };
}

async function previewOne(world: World, pick: number): Promise<void> {
  const receipt = await receiptFor(world, pick, "cash");
  const { hash } = await acting(house, (act) => previewReceipt(act, receipt));
  world.shown.push({ receipt, hash });
}

async function receivePreviewed({ shown }: World): Promise<void> {
  const last = shown.pop();
  if (last) await acting(house, (act) => receive(act, last.receipt, last.hash));
}

async function bookTransfer(world: World, pick: number): Promise<void> {
  const receipt = await receiptFor(world, pick, "bankTransfer");
  await acting(house, async (act) => receive(act, receipt, (await previewReceipt(act, receipt)).hash));
}

/** Confirmed as it was booked, or, once that is refused, as it is shown now. */
async function confirmOne(world: World, pick: number): Promise<void> {
  const id = await one(world, "flow", "state = 'pending'", pick);
  const confirm = (hash?: string) => (act: Act) => confirmFlow(act, id, hash);
  await acting(house, confirm()).catch(async (error: Refusal) => {
    if (error.code !== "previewChanged") throw error;
    const { hash } = await acting(house, (act) => previewConfirm(act, id));
    await acting(house, confirm(hash));
  });
}

async function allocateOne(world: World, pick: number): Promise<void> {
  const flowId = await one(world, "flow", "state = 'confirmed' and unallocated > 0", pick);
  const billId = await someBill(world, pick);
  const [bill] = await readBills({ tx: db }, [billId]);
  const [open] = await wantsOf(house, [billId]);
  const lineId = open?.lineId ?? bill!.lines[0]!.id;
  await acting(house, (act) => allocateFlow(act, flowId, [{ billId, lineId, amount: 1 + (pick % 400) }]));
}

async function payFromPrepaid({ store, partyId }: World): Promise<void> {
  await acting(house, (act) => prepaid.usePrepaid(act, { villageId: store.villageId, partyId }));
}

async function voidOne(world: World, pick: number): Promise<void> {
  const id = await one(world, "bill", "settled = 0", pick);
  await acting(house, (act) => voidBills(act, [id], "作废"));
}

async function adjustOne(world: World, pick: number): Promise<void> {
  const [bill] = await readBills({ tx: db }, [await someBill(world, pick)]);
  const change = { lineId: bill!.lines[0]!.id, amount: (pick % 900) - 600 || 1, reason: "调整" };
  await acting(house, (act) => adjustLines(act, [change]));
}

async function undoOne(world: World, pick: number): Promise<void> {
  const id = await one(world, "allocation_standing", "true", pick);
  const { flowId } = await db
    .selectFrom("allocation")
    .select("flowId")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await acting(house, (act) => takeBack(act, flowId!, id));
}

async function reverseOne(world: World, pick: number): Promise<void> {
  const id = await one(world, "flow", "state = 'confirmed'", pick);
  await acting(house, (act) => reverseFlow(act, id, "冲销"));
}

async function nextDay(world: World, pick: number): Promise<void> {
  world.day = addDays(world.day, 1 + (pick % 10));
  house.setClock(`${world.day}T00:10:00+08:00`);
  await acting(house, (act) => issueDue(act));
}
