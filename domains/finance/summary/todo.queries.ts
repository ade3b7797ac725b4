import { type RawBuilder, sql } from "kysely";
import { markedCache } from "../../../platform/server/database/cache.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { ofEnterprise } from "../corporate/line.queries.ts";
import { proving } from "../statement/statement.queries.ts";
import { lateTakings } from "../submission/submission.queries.ts";
import { TODO_PAGES } from "./todo.contract.ts";

type Page = keyof typeof TODO_PAGES;
export type Counts = Partial<Record<Page, number>>;

/** What stands open on a page, each from an index of what is open alone. */
const OPEN: Record<Page, (read: Read) => RawBuilder<unknown>> = {
  refund: ({ who }) =>
    sql`select count(*)::int from refund where village_id = ${anyOf(who.villages)} and state = 'toPay'`,
  reconcile: ({ who }) => sql`select count(*)::int from merchant_account a join reconcile_item i
    on i.merchant_account_id = a.id and i.open where ${proving(who)}`,
  submission: ({ who }) =>
    sql`select count(*)::int from submission where village_id = ${anyOf(who.villages)} and state = 'submitted'`,
  corporate: ({ who }) => sql`select count(*)::int from bank_line l
    join merchant_account a on a.id = l.merchant_account_id where l.free > 0 and ${ofEnterprise(who)}`,
};

const held = ({ who }: Read): Page[] =>
  (Object.keys(TODO_PAGES) as Page[]).filter((page) =>
    TODO_PAGES[page].some((permit) => who.permits.has(permit)),
  );

async function countedFor(read: Read): Promise<Counts> {
  const pages = held(read);
  const each = pages.map((page) => sql`(${OPEN[page](read)}) ${sql.ref(page)}`);
  const { rows } = await sql<Counts>`select ${sql.join(each)}`.execute(read.tx);
  const counts = { ...rows[0]! };
  if (counts.submission !== undefined) counts.submission += await lateTakings(read);
  return counts;
}

/** The rhythm of what the console polls. */
const KEPT_MS = 50_000;

const kept = markedCache<Read, number, Counts>({
  base: ({ tx }) => tx,
  marks: (read, [id]) => new Map([[id!, JSON.stringify([held(read), read.who.villages])]]),
  make: async (read, [id]) => new Map([[id!, await countedFor(read)]]),
  most: 5_000,
  weigh: () => 1,
  longestMs: KEPT_MS,
});

export async function todoOf(read: Read): Promise<Counts> {
  const id = read.who.operatorId;
  return (await kept(read, [id])).get(id) ?? {};
}
