import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { openBalances } from "../../finance/opening/opening.service.ts";
import type { Batch } from "../../system/import/batch.service.ts";
import type { Importer, Outcome, Progress } from "../../system/import/importer.service.ts";
import { openStores } from "../../system/import/stores.service.ts";
import { shareOf } from "../signing/bills.rules.ts";
import { type ManySigned, signMany } from "../signing/many.service.ts";
import { checkFor } from "./check.service.ts";
import { type OpeningKind, RENTERS } from "./kind.service.ts";
import { type Planned, totalsFor } from "./planned.rules.ts";
import { takeBack } from "./undo.service.ts";

/** Balances older than this are no take-over but history. */
const OLDEST_DAYS = 365;
type TakeOver = { takenOn: Day };
type Opening = Batch & TakeOver;

/** Running contracts of a kind with their balances. */
export const openingOf = (kind: OpeningKind): Importer<Planned[], TakeOver> => ({
  table: "contractImport",
  own: { kind: kind.kind },
  ...(kind.work && { work: kind.work }),
  letters: "QC",
  needs: kind.needs,
  whose: "villages",
  listed: ["takenOn", "progress"],
  things: kind.things,
  counter: "份",
  columns: async () => kind.columns,
  template: {
    lists: async (read) => ({ 门店: await openStores(read), ...(await kind.words?.(read)) }),
    rules: kind.rules,
    samples: kind.samples,
    frozen: 3,
    wide: { list: 24, rules: 70 },
  },
  // the same contracts are known by their rooms and numbers, row by row
  sameFile: "free",
  place: async (act, { takenOn }: TakeOver) => {
    if (takenOn > act.today) throw invalid({ field: "takenOn", msg: "接管日不能晚于今天" });
    if (takenOn < addDays(act.today, -OLDEST_DAYS))
      throw invalid({ field: "takenOn", msg: "接管日不能早于一年前" });
    return { takenOn };
  },
  check: checkFor(kind),
  kept: (planned = [], _place, right) => ({
    totals: right ? JSON.stringify(totalsFor(planned, kind.several)) : null,
    villageIds: right ? [...new Set(planned.map((p) => p.villageId))] : [],
  }),
  long: { atOnce: 300, result: { title: "合同号", of: contractsOf } },
  make: (act, planned, batch, progress) => bringIn(act, kind, planned, batch, progress),
  remove: takeBack,
});
export const OPENING = openingOf(RENTERS);

/** Which row of the file became which contract, or an open bill of it. */
async function contractsOf(read: Read, id: number): Promise<{ row: number; text: string }[]> {
  const { rows } = await sql<{ row: number; text: string }>`
    select r.n "row", c.contract_no "text" from contract c,
      lateral (select (c.opening->>'row')::int union all
        select jsonb_array_elements_text(coalesce(c.opening->'further', '[]'))::int) r (n)
    where c.import_id = ${id} order by 1`.execute(read.tx);
  return rows;
}

const STEP = 250;

/**
 * Makes everything of a batch in the open transaction: the tenants that are new, the contracts with their leases and
 * the bills to come, and the opening balances.
 */
async function bringIn(
  act: Act,
  kind: OpeningKind,
  planned: readonly Planned[],
  batch: Opening,
  progress: Progress,
): Promise<Outcome> {
  const partyOf = await tenantsOf(act, kind, planned);
  for (let at = 0; at < planned.length; at += STEP) {
    await some(act, kind, batch, planned.slice(at, at + STEP), partyOf);
    if (at === 0 || at === 4 * STEP) await countAnew(act, planned.length);
    await progress(Math.min(at + STEP, planned.length) / planned.length);
  }
  const sum = (of: (p: Planned) => number) => yuan(planned.reduce((total, p) => total + of(p), 0));
  return {
    count: planned.length,
    told: `导入${kind.things} ${planned.length} 份，接管日 ${batch.takenOn}，在管押金 ${sum((p) => p.row.deposit)}、欠费 ${sum((p) => p.arrears)}、预存款 ${sum((p) => p.row.prepaid)}`,
  };
}

const GROWING = [
  "contract",
  "contract_room",
  "contract_money",
  "occupancy_row",
  "bill",
  "bill_line",
] as const;
const LEDGER = [
  "journal_entry",
  "journal_line",
  "deposit_balance",
  "party_balance",
  "party",
  "renter",
] as const;

/**
 * In a deployment that is new, the database still takes its tables for empty while thousands of bills are coming in, and
 * walks all of them for each contract. Where that is so it is told to count; elsewhere this does nothing.
 */
async function countAnew(act: Act, contracts: number): Promise<void> {
  const { rows } = await sql<{ known: number }>`
    select reltuples::bigint known from pg_class where oid = 'bill'::regclass`.execute(act.tx);
  if ((rows[0]?.known ?? 0) > contracts * 10) return;
  await sql`select analyze_tables(${[...GROWING, ...LEDGER]}::text[])`.execute(act.tx);
}

/** Registers who is new, once each, and answers who stands behind each row. */
async function tenantsOf(
  act: Act,
  { register }: OpeningKind,
  planned: readonly Planned[],
): Promise<(p: Planned) => number> {
  const fresh = new Map<string, Planned>();
  for (const p of planned) {
    if (!("key" in p.person)) continue;
    const known = fresh.get(p.person.key);
    // of several rows the one that carries the certificate
    if (!known || (!known.row.tenant.certNo && p.row.tenant.certNo)) fresh.set(p.person.key, p);
  }
  const ids = await register(act, [...fresh.values()]);
  const byKey = new Map([...fresh.keys()].map((key, i) => [key, ids[i]!]));
  return ({ person }) => ("key" in person ? byKey.get(person.key)! : person.partyId);
}

async function some(
  act: Act,
  { kind, things }: OpeningKind,
  batch: Opening,
  planned: readonly Planned[],
  partyOf: (p: Planned) => number,
): Promise<void> {
  const { ids } = await signMany(
    act,
    planned.map((p) => ({ ...contractOf(p, partyOf(p), batch, things), kind })),
  );
  await openBalances(
    act,
    planned.map(({ row, villageId, rooms, terms, owed }, i) => ({
      contractId: ids[i]!,
      villageId,
      partyId: partyOf(planned[i]!),
      roomId: rooms[0]!.id,
      deposit: row.deposit,
      owed,
      prepaid: row.prepaid,
      graceDays: terms.graceDays,
      lateFeeRate: shareOf(terms.lateFeeDailyRate),
      lateFeeCap: shareOf(terms.lateFeeCapPercent),
    })),
    batch.takenOn,
  );
  await act.note(
    planned.map((p) => ({
      kind,
      recordId: partyOf(p),
      villageId: p.villageId,
      number: batch.number,
      action: "导入合同",
      summary: `导入${things}：${p.roomName}，${p.row.start} 至 ${p.row.end}，${held(p)}`,
    })),
  );
}

const held = ({ row, arrears }: Planned) =>
  `已付至 ${row.paidTo}，在管押金 ${yuan(row.deposit)}、欠费 ${yuan(arrears)}、预存款 ${yuan(row.prepaid)}`;

function contractOf(p: Planned, partyId: number, batch: Opening, things: string): ManySigned {
  const { row, villageId, rooms, terms, arrears } = p;
  const { deposit, prepaid, oldNo, paidTo, remark } = row;
  const old = oldNo && `，原合同号 ${oldNo}`;
  return {
    ...terms,
    villageId,
    partyId,
    start: row.start,
    end: row.end,
    signedOn: row.signedOn,
    handoverOn: row.start <= batch.takenOn ? row.start : null,
    source: "import",
    rooms: rooms.map(({ id: roomId, rent: monthlyRent }) => ({ roomId, monthlyRent })),
    remark,
    opening: {
      importId: batch.id,
      row: p.n,
      further: p.further,
      oldNo,
      paidTo,
      takenOn: batch.takenOn,
      deposit,
      arrears,
      prepaid,
      told: {
        action: "导入",
        summary: `导入${things}：${row.tenant.name} 租用 ${p.roomName}，${row.start} 至 ${row.end}，${held(p)}，待出账单 ${p.bills} 张${old}（${batch.number}）`,
      },
    },
  };
}
