import { sql } from "kysely";
import { addDays, addToMonth, type Day, lastOf, monthOf } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { boxesOf, close, open } from "../../domains/finance/shift/shift.service.ts";
import {
  destinationsOf,
  type Item,
  itemsOpen,
  readSubmission,
} from "../../domains/finance/submission/submission.queries.ts";
import { receive } from "../../domains/finance/submission/arrival.service.ts";
import { submit } from "../../domains/finance/submission/submission.service.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Till = { villageId: number; fromAccountId: number; first: Day };

/** Days whose takings are handed over one by one; everything before went to the bank at the end of each month. */
const RECENT = 8;
/** Stores whose last days are shown in each of their states. */
const SHOWN = 3;
const SHORT = 2_000;

/** What became of the takings of the last days, one after the other; those of yesterday still lie in the box. */
const FATES = ["received", "short", "waiting", "received"] as const;

/** Cash that stores have taken goes to the bank, and what became of it; a cashier hands the box over in the evening. */
export async function makeSubmissions(
  store: Store,
  people: { cashier: number; finance: number },
  today: Day,
): Promise<void> {
  const at = (day: Day, clock: string) => new Date(`${day}T${clock}:00+08:00`);
  const { rows: tills } = await sql<Till>`
    select village_id "villageId", merchant_account_id "fromAccountId", min(bank_day) first from takings_loose
    where kind = 'cash' group by 1, 2 order by 1, 2`.execute(store.db);
  for (const [i, { first, ...till }] of tills.entries()) {
    const last = addDays(today, i < SHOWN ? -RECENT : -1);
    for (let month = monthOf(first); ; month = addToMonth(month, 1)) {
      const bankDay = lastOf(month) < last ? lastOf(month) : last;
      for (let more = true; more;) {
        const open = await itemsOpen({ tx: store.db }, { ...till, bankDay, andBefore: true });
        const now = at(addDays(bankDay, 1), "10:05");
        if (open.items.length) await hand(store, people, till, open.items, { bankDay, now, received: 0 });
        more = open.more;
      }
      if (bankDay === last) break;
    }
    if (i >= SHOWN) continue;
    const bankDay = addDays(today, -2);
    const { items } = await itemsOpen({ tx: store.db }, { ...till, bankDay, andBefore: true });
    const days = [...Map.groupBy(items, (item) => item.day)];
    for (const [n, [day, taken]] of days.entries()) {
      const fate = FATES[(n + i) % FATES.length]!;
      const short = fate === "short" ? SHORT : fate === "waiting" ? undefined : 0;
      await hand(store, people, till, taken, {
        bankDay: day,
        now: at(addDays(day, 1), "16:20"),
        received: short,
      });
    }
  }
  const [first] = tills;
  if (first)
    await handOverBox(
      store,
      people.cashier,
      first,
      at(addDays(today, -1), "08:30"),
      at(addDays(today, -1), "20:40"),
    );
}

/** One hand-over; `received`: how much of it was missing at the bank, nothing said where it is still on its way. */
async function hand(
  store: Store,
  people: { cashier: number; finance: number },
  till: Omit<Till, "first">,
  items: readonly Item[],
  { bankDay, now, received }: { bankDay: Day; now: Date; received: number | undefined },
): Promise<void> {
  const of = (what: Item["what"]) => items.filter((item) => item.what === what).map((item) => item.ref);
  const { id } = await acting(store, people.finance, now, async (act) => {
    const [bank] = await destinationsOf(act, till.villageId);
    return submit(act, {
      ...till,
      kind: "cash",
      bankDay,
      toAccountId: bank!.id,
      flowIds: of("flow"),
      keptIds: of("kept"),
      repaidIds: of("repaid"),
      keptReason: "留作备用金",
      slipNo: `HZ${String(now.getTime()).slice(-8)}`,
    });
  });
  if (received === undefined) return;
  await acting(store, people.finance, new Date(now.getTime() + 4 * 3_600_000), async (act) => {
    const s = (await readSubmission(act, id))!;
    const amount = Math.max(0, s.submitted - received);
    await receive(act, id, { version: s.version, amount, receivedOn: act.today });
  });
}

async function handOverBox(store: Store, cashier: number, till: Till, from: Date, to: Date): Promise<void> {
  const count = (act: Parameters<typeof boxesOf>[0]) =>
    boxesOf(act, till.villageId).then((boxes) => boxes.find((box) => box.id === till.fromAccountId)!);
  const given = { villageId: till.villageId, merchantAccountId: till.fromAccountId, note: "" };
  const { id } = await acting(store, cashier, from, async (act) => {
    const { booked } = await count(act);
    return open(act, { ...given, booked, counted: booked });
  });
  await acting(store, cashier, to, async (act) => {
    const { booked } = await count(act);
    await close(act, id, { version: 1, booked, counted: booked, note: "" });
  });
}
