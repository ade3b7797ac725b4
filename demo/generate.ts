import { publishAgreements } from "./stores/agreements.ts";
import { offerDemoAccounts } from "../domains/access/brand/demo-account.service.ts";
import type { Database } from "../platform/server/database/database.ts";
import { chainOf } from "./chain.ts";
import { addDays } from "../platform/kernel/day.ts";
import type { Pool } from "pg";
import type { Cipher } from "../platform/server/secrets/cipher.ts";
import { companyOf, type DemoOptions } from "./company.ts";
import { makeApplications, makeArchive } from "./customers/desk.ts";
import { makeFirmReservations } from "./customers/firm-reserved.ts";
import { makeFirmContracts } from "./leases/firm-contracts.ts";
import { makeFirms } from "./customers/firms.ts";
import { makeBudgets } from "./books/budgets.ts";
import { chooseIndicators, setTargets } from "./books/targets.ts";
import { furnish } from "./stores/furnished.ts";
import { resting, wake } from "./indices.ts";
import { DEMO_PASSWORD, POSTS } from "./people.ts";
import { chanceOf } from "./random.ts";
import { liveInStore } from "./leases/rooms.ts";
import { beServed } from "./serving.ts";
import { makeAmendments, makeMovings, makeRenewals, makeRoomChanges, makeSwap } from "./leases/changes.ts";
import { openSink } from "./sink.ts";
import { makeChannels } from "./stores/channels.ts";
import { makeLeads } from "./customers/leads.ts";
import { makeAgents } from "./customers/agents.ts";
import { makeOccupants } from "./leases/occupants.ts";
import { makeTurnover } from "./leases/turnover.ts";
import { deliverNotices, keepBlackList } from "./customers/black.ts";
import { makePushes, makeReminders } from "./customers/pushes.ts";
import { makeModules, makeWaiting } from "./stores/approvals.ts";
import { makeBooks, makeStaff } from "./stores/staff.ts";
import { makeOffers } from "./leases/offers.ts";
import { makePriceApprovals, makePriceChanges } from "./stores/prices.ts";
import { makeProducts } from "./stores/products.ts";
import { makeRooms, makeStores } from "./stores/stores.ts";
import { makeCorporate, makeStatement } from "./books/corporate.ts";
import { makeInvoices } from "./books/invoices.ts";
import { makePostings } from "./books/posting.ts";
import { makeRefunds } from "./books/refunds.ts";
import { makeSubmissions } from "./books/submissions.ts";
import { makeThirdParties } from "./books/third-parties.ts";
import { makeReservations, makeViewings } from "./customers/reserved.ts";
import { cleanRooms, makeSettlements } from "./leases/settlements.ts";
import { makeTemplates } from "./leases/templates.ts";
import { tellPeople } from "./stores/told.ts";
import { BUILT_IN } from "../domains/finance/subject/subject.rules.ts";

export type Made = { rows: Record<string, number>; seconds: number };
const person = (post: string) => POSTS.findIndex((p) => p.post === post) + 1;

/**
 * Fills an empty database with a company of any size: the same options give the same rows. Rows are worked out by the
 * very rules that signing and paying use and go in by COPY.
 */
export async function generate(
  { owner: pool, db }: Pick<Database, "owner" | "db">,
  cipher: Cipher,
  options: DemoOptions,
  say: (sentence: string) => void = () => {},
): Promise<Made> {
  const began = performance.now();
  await wake(pool, say);
  const { rows: left } = await pool.query("select 1 from party limit 1");
  if (left.length)
    throw new Error("An earlier demo was broken off half-way in this database; use an empty one instead.");
  const names = new Map(POSTS.map((p, i) => [i + 1, p.name]));
  const sink = await openSink(pool);
  const co = companyOf(sink, cipher, options, { clerk: person("租赁顾问"), cashier: person("出纳"), names });
  const firstDay = addDays(options.today, -Math.round(options.years * 365));
  const large = options.rooms > 5000;
  if (large) await resting(pool);
  let roles: ReadonlyMap<string, number>;
  try {
    const managers = [person("店长"), person("店长") + 1];
    const chain = chainOf(options.rooms);
    const stores = await makeStores(sink, co.ids, {
      stores: chain,
      firstDay,
      enterpriseId: co.enterpriseId,
      managers,
    });
    roles = await makeStaff(co, stores);
    await makeModules(co, stores, { fallback: person("企业管理员"), financeRole: roles.get("财务主管")! });
    await makeBooks(
      co,
      stores,
      BUILT_IN.map((seed, i) => ({ ...seed, id: i + 1, enterpriseId: co.enterpriseId })),
    );
    for (const [i, place] of chain.entries()) {
      // each store has chance of its own: a larger company has the same first rooms
      co.chance = chanceOf(options.seed * 1000 + i);
      const rooms = await makeRooms(sink, co.ids, co.chance, place, stores[i]!, place.rooms, firstDay);
      await liveInStore(co, rooms, firstDay);
      say(`${place.name}: ${rooms.length} rooms, ${sink.rows.bill ?? 0} bills so far`);
    }
    await makeFirms(co, person("店长"));
    await makeLeads(co, { consultant: person("租赁顾问"), manager: person("店长") });
    for (const row of co.numbers.rows()) await sink.add("number_sequence", row);
    await sink.end();
  } catch (error) {
    // the database is left as empty as it was
    await sink.abort();
    await wake(pool, say);
    throw error;
  }
  await continueSequences(pool);
  await beServed();
  // triggers slept while the company was made
  await pool.query("select begin_dictionary(id) from enterprise");
  await pool.query("select sum_anew()");
  const acts = { pool, db, cipher, now: options.now ?? new Date() };
  await makeWaiting(acts, 1, person("店长"), new Date(`${addDays(options.today, -1)}T16:30:00+08:00`));
  await wake(pool, say);
  await makeTemplates(acts, person("企业管理员"), options.today);
  await makeReservations(acts, person("租赁顾问"), person("出纳"), options.today);
  await makeRefunds(acts, { clerk: person("店长"), payer: person("出纳") }, options.today);
  await makeCorporate(
    acts,
    { clerk: person("店长"), finance: person("财务主管"), enterpriseId: co.enterpriseId },
    options.today,
  );
  const finance = { finance: person("财务主管"), enterpriseId: co.enterpriseId };
  await makeStatement(acts, finance, options.today);
  await makeThirdParties(acts, person("店长"), options.today);
  await makeInvoices(acts, { admin: person("企业管理员"), clerk: person("店长") }, options.today);
  await makeSettlements(acts, { clerk: person("租赁顾问"), manager: person("店长") }, options.today);
  await makeFirmReservations(acts, person("租赁顾问"), person("出纳"), options.today);
  await makeFirmContracts(acts, person("租赁顾问"), person("出纳"), options.today);
  await makeOffers(acts, person("企业管理员"), person("租赁顾问"), options.today);
  await makeRenewals(acts, person("店长"), options.today);
  await makeMovings(acts, person("店长"), options.today);
  await makeAmendments(acts, person("店长"), options.today);
  await makeSwap(acts, person("店长"), options.today);
  await makeRoomChanges(acts, person("店长"), options.today);
  await cleanRooms(acts, person("企业管理员"), options.today);
  await makeViewings(acts, person("租赁顾问"), options.today);
  await makeAgents(acts, person("企业管理员"), person("租赁顾问"), options.today);
  await makeProducts(pool, co.enterpriseId, options.today, person("企业管理员"));
  await makePriceChanges(acts, person("企业管理员"), options.today);
  await makePriceApprovals(
    acts,
    co.enterpriseId,
    { admin: person("企业管理员"), manager: person("店长") },
    options.today,
  );
  await makeChannels(pool, cipher, person("企业管理员"), options.today);
  await tellPeople(pool, co.enterpriseId, options.today);
  await setTargets(pool, co.enterpriseId, options.today);
  await chooseIndicators(acts, roles, person("企业管理员"), options.today);
  await furnish(pool, co.enterpriseId, options.today);
  await makeOccupants(acts, person("企业管理员"), options.today);
  await makeTurnover(acts, person("企业管理员"), options.today);
  await makeApplications(acts, person("店长"), options.today);
  await makeArchive(acts, person("店长"), options.today);
  await makeSubmissions(acts, { cashier: person("出纳"), finance: person("财务主管") }, options.today);
  await keepBlackList(acts, person("店长"), options.today);
  await deliverNotices(pool);
  await makePushes(acts, co.enterpriseId, person("店长"), options.today);
  await makeReminders(acts, co.enterpriseId, person("企业管理员"), options.today, !large);
  await publishAgreements(pool, co.enterpriseId, options.today);
  await offerDemoAccounts(
    db,
    POSTS.map(({ account, post, name }) => ({ account, password: DEMO_PASSWORD, name: `${post} ${name}` })),
  );
  // a large one as the database keeps it itself after a while: its counts read indices alone
  await pool.query(large ? "vacuum analyze" : "analyze");
  if (!large) await makePostings(acts, person("财务主管"), options.today);
  if (!large) await makeBudgets(acts, person("企业管理员"), options.today);
  return { rows: sink.rows, seconds: (performance.now() - began) / 1000 };
}

/** The next id of every table follows the last one given. */
async function continueSequences(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ table: string; sequence: string }>(
    `select c.relname "table", pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), 'id') "sequence"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> ''
     where n.nspname = 'public' and c.relkind = 'r'`,
  );
  for (const { table, sequence } of rows)
    await pool.query(`select setval($1, greatest((select coalesce(max(id), 0) from "${table}"), 1))`, [
      sequence,
    ]);
}
