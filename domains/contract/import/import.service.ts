import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { createRenters } from "../../customer/import/import.service.ts";
import { renterInput } from "../../customer/renter/renter.contract.ts";
import { openBalances } from "../../finance/opening/opening.service.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { shareOf } from "../signing/bills.rules.ts";
import { type ManySigned, signMany } from "../signing/many.service.ts";
import { type Checked, checkFile } from "./check.service.ts";
import type { Batch } from "./import.queries.ts";
import { type CellError, ERRORS_SHOWN, type ImportState, type Planned, totalsFor } from "./planned.rules.ts";

const STEP = 250;

/**
 * Makes everything of a batch in the open transaction: the tenants that are new, the contracts with their leases and
 * the bills to come, and the opening balances.
 */
export async function bringIn(
  act: Act,
  batch: Batch,
  planned: readonly Planned[],
  progress: (percent: number) => Promise<void>,
): Promise<void> {
  const partyOf = await tenantsOf(act, planned);
  for (let at = 0; at < planned.length; at += STEP) {
    await some(act, batch, planned.slice(at, at + STEP), partyOf);
    if (at === 0 || at === 4 * STEP) await countAnew(act, planned.length);
    await progress(20 + Math.floor((75 * Math.min(at + STEP, planned.length)) / planned.length));
  }
  const sum = (of: (p: Planned) => number) => yuan(planned.reduce((total, p) => total + of(p), 0));
  await act.note({
    kind: "contractImport",
    recordId: batch.id,
    number: batch.number,
    action: "导入",
    summary: `导入在租合同 ${planned.length} 份，接管日 ${batch.takenOn}，在管押金 ${sum((p) => p.row.deposit)}、欠费 ${sum((p) => p.row.arrears)}、预存款 ${sum((p) => p.row.prepaid)}`,
  });
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
async function tenantsOf(act: Act, planned: readonly Planned[]): Promise<(p: Planned) => number> {
  const fresh = new Map<string, Planned>();
  for (const p of planned) {
    if (!("key" in p.person)) continue;
    const known = fresh.get(p.person.key);
    // of several rows the one that carries the certificate
    if (!known || (!known.row.tenant.certNo && p.row.tenant.certNo)) fresh.set(p.person.key, p);
  }
  const ids = await createRenters(
    act,
    [...fresh.values()].map((p) =>
      renterInput.parse({ ...p.row.tenant, source: "other", homeVillageId: p.villageId }),
    ),
    null,
  );
  const byKey = new Map([...fresh.keys()].map((key, i) => [key, ids[i]!]));
  return ({ person }) => ("key" in person ? byKey.get(person.key)! : person.partyId);
}

async function some(
  act: Act,
  batch: Batch,
  planned: readonly Planned[],
  partyOf: (p: Planned) => number,
): Promise<void> {
  const { ids } = await signMany(
    act,
    planned.map((p) => contractOf(p, partyOf(p), batch)),
  );
  await openBalances(
    act,
    planned.map(({ row, villageId, roomId, terms }, i) => ({
      contractId: ids[i]!,
      villageId,
      partyId: partyOf(planned[i]!),
      roomId,
      deposit: row.deposit,
      arrears: row.arrears,
      arrearsDue: row.arrearsDue,
      prepaid: row.prepaid,
      graceDays: terms.graceDays,
      lateFeeRate: shareOf(terms.lateFeeDailyRate),
      lateFeeCap: shareOf(terms.lateFeeCapPercent),
    })),
    batch.takenOn,
  );
  await act.note(
    planned.map((p) => ({
      kind: "renter",
      recordId: partyOf(p),
      villageId: p.villageId,
      number: batch.number,
      action: "导入合同",
      summary: `导入在租合同：${p.roomName}，${p.row.start} 至 ${p.row.end}，${held(p)}`,
    })),
  );
}

const held = ({ row }: Planned) =>
  `已付至 ${row.paidTo}，在管押金 ${yuan(row.deposit)}、欠费 ${yuan(row.arrears)}、预存款 ${yuan(row.prepaid)}`;

function contractOf(p: Planned, partyId: number, batch: Batch): ManySigned {
  const { row, villageId, roomId, terms } = p;
  const { deposit, arrears, prepaid, oldNo, paidTo, remark } = row;
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
    rooms: [{ roomId, monthlyRent: row.rent }],
    remark,
    opening: {
      importId: batch.id,
      row: p.n,
      oldNo,
      paidTo,
      takenOn: batch.takenOn,
      deposit,
      arrears,
      prepaid,
      told: {
        action: "导入",
        summary: `导入在租合同：${row.tenant.name} 租用 ${p.roomName}，${row.start} 至 ${row.end}，${held(p)}，待出账单 ${p.bills} 张${old}（${batch.number}）`,
      },
    },
  };
}

/** Checks a batch's file and keeps what was found. */
export async function check(act: Act, id: number, bytes: Buffer, takenOn: string): Promise<Checked> {
  const checked = await checkFile(act, bytes, takenOn);
  await keep(act, id, checked);
  return checked;
}

async function keep(act: Act, id: number, checked: Checked): Promise<ImportState> {
  const { errors, planned, rowCount } = checked;
  const state = errors.length ? "failed" : "ready";
  await act.tx
    .updateTable("contractImport")
    .set({
      state,
      errors: JSON.stringify(errors.slice(0, ERRORS_SHOWN)),
      errorCount: errors.length,
      rowCount,
      totals: errors.length ? null : JSON.stringify(totalsFor(planned)),
      villageIds: errors.length ? [] : [...new Set(planned.map((p) => p.villageId))].sort((a, b) => a - b),
      progress: 0,
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", id)
    .execute();
  return state;
}

const wholeFile = (msg: string): CellError[] => [{ row: 1, column: "", header: "", value: "", msg }];

/**
 * Takes a batch in the open transaction, all of it or nothing. What was checked is checked again here: a room let or a
 * tenant registered meanwhile refuses the whole batch, and the errors say in which row. Answers the state after it.
 */
export async function takeBatch(
  act: Act,
  batch: Batch,
  progress: (percent: number) => Promise<void> = async () => {},
): Promise<ImportState> {
  // two batches of one village follow each other, so that the second sees what the first has taken
  for (const villageId of batch.villageIds)
    await sql`select pg_advisory_xact_lock(hashtext('contractImport'), ${villageId}::int)`.execute(act.tx);
  await sql`savepoint batch`.execute(act.tx);
  const look = async () => checkFile(act, await bytesOfFile(act, batch.fileId), batch.takenOn);
  try {
    const checked = await look();
    if (checked.errors.length) return await keep(act, batch.id, checked);
    await progress(20);
    await bringIn(act, batch, checked.planned, progress);
    await act.tx
      .updateTable("contractImport")
      .set({
        state: "done",
        totals: JSON.stringify(totalsFor(checked.planned)),
        progress: 100,
        doneAt: act.now.toISOString(),
        version: NEXT_VERSION,
        updatedAt: act.now.toISOString(),
      })
      .where("id", "=", batch.id)
      .execute();
    return "done";
  } catch (error) {
    const taken = error instanceof Refusal ? error.message : undefined;
    if (taken === undefined && (error as { code?: string }).code !== "23505") throw error;
    // somebody let a room or registered a tenant in this very moment: look again, and name it
    await sql`rollback to savepoint batch`.execute(act.tx);
    const again = await look();
    const errors = again.errors.length
      ? again.errors
      : wholeFile(`${taken ?? "数据已被他人修改"}，请重新检查`);
    return keep(act, batch.id, { ...again, errors });
  }
}
