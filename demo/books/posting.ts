import { sql } from "kysely";
import { addToMonth, type Day, monthOf } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { runAccrual } from "../../domains/finance/accrual/accrual.service.ts";
import { checkLedger } from "../../domains/finance/check/check.service.ts";
import { placeOf } from "../../domains/finance/posting/books.queries.ts";
import { mapUsual } from "../../domains/finance/posting/mapping.service.ts";
import { exportAndLock, generate } from "../../domains/finance/posting/posting.service.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };

/**
 * Income recognised up to last month in every store, and the vouchers of the last store: its income exported and locked but for
 * the last month, which is made, and its first month of cost. Nothing happens after it: what came before was not dated into a locked month.
 */
export async function makePostings(store: Store, lead: number, today: Day): Promise<void> {
  const last = addToMonth(monthOf(today), -1);
  const done = <R>(work: Parameters<typeof acting<R>>[3]) =>
    acting(store, lead, new Date(`${today}T23:59:00+08:00`), work);
  const { rows } = await sql<{ id: number; first: string }>`
    select v.id, (select to_char(min(day), 'YYYY-MM') from journal_day where village_id = v.id) "first"
    from village v order by v.id`.execute(store.db);
  await done(mapUsual);
  await done((act) => runAccrual(act, { villageIds: rows.map(({ id }) => id), month: last }));
  await done((act) => checkLedger(act, "manual"));
  const { id, first } = rows.at(-1)!;
  if (!first) return;
  const posted = (month: string, side: "income" | "cost") =>
    done(async (act) => {
      const place = await placeOf(act, id);
      const made = await generate(act, { place, month, side });
      if (month < last) await exportAndLock(act, [{ id: made, version: 1 }]);
    });
  for (let month = first; month <= last; month = addToMonth(month, 1)) await posted(month, "income");
  await posted(first, "cost");
}
