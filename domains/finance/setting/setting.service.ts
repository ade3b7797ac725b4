import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { onceIn } from "../../../platform/server/database/once.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import {
  asShares,
  lateFeeFieldsOf,
  termsOn,
  type ComingTerms,
  type LateFeeFields,
  type LateFeeTerms,
} from "./late-terms.rules.ts";
import {
  effective,
  ownFields,
  type BillingSetting,
  type SettingChange,
  type SettingKey,
} from "./setting.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

/**
 * What holds in each village today: the product's defaults, then the enterprise's, then the village's own fields. A
 * change counts from its effective date on. What is read once in a transaction stands for all of it; who changes
 * settings reads them with a statement of their own.
 */
export function settingsOf(
  read: Pick<Read, "tx" | "today">,
  villageIds: readonly number[],
): Promise<(villageId: number) => BillingSetting> {
  const ids = [...new Set(villageIds)].toSorted((a, b) => a - b);
  return onceIn(read, `billing settings ${read.today} ${ids.join()}`, () => readSettings(read, ids));
}

async function readSettings(
  read: Pick<Read, "tx" | "today">,
  villageIds: readonly number[],
): Promise<(villageId: number) => BillingSetting> {
  const { rows } = await sql<{ id: number; village: number | null } & SettingChange>`
    select v.id, s.village_id village, s.setting, s.follows from village v
    join billing_setting s on s.enterprise_id = v.enterprise_id and (s.village_id is null or s.village_id = v.id)
    where v.id = any(${villageIds as number[]}::bigint[]) and s.effective_date <= ${read.today}
    order by s.effective_date, s.version`.execute(read.tx);
  const all = new Map(
    [...Map.groupBy(rows, (row) => row.id)].map(([id, changes]) => {
      const layer = (own: boolean) => ownFields(changes.filter((c) => (c.village !== null) === own));
      return [id, effective(layer(false), layer(true))];
    }),
  );
  return (villageId) => all.get(villageId) ?? effective();
}

export type SettingOwner = { enterpriseId: number; villageId?: number | null };

/**
 * Sets some fields for an enterprise, or for one of its villages, from a day on; the beginning where none is given.
 * Answers the change, or nothing when somebody else has changed the same owner meanwhile.
 */
export async function setBilling(
  act: Pick<Act, "tx">,
  owner: SettingOwner,
  fields: Partial<BillingSetting>,
  more: {
    from?: Day;
    follows?: readonly string[];
    before?: Record<string, unknown>;
    /** What the owner's last change was numbered; taken as it stands where it is left out. */
    version?: number;
    by?: number | null;
  } = {},
): Promise<{ id: number; version: number } | undefined> {
  const villageId = owner.villageId ?? null;
  const { rows } = await sql<{ id: number; version: number }>`
    insert into billing_setting
      (enterprise_id, village_id, version, setting, follows, before, effective_date, created_by)
    select ${owner.enterpriseId}, ${villageId}::bigint, last + 1, ${JSON.stringify(fields)}::jsonb,
      ${[...(more.follows ?? [])]}::text[], ${JSON.stringify(more.before ?? {})}::jsonb,
      ${more.from ?? "2000-01-01"}, ${more.by ?? null}
    from (select coalesce(max(version), 0) last from billing_setting
      where enterprise_id = ${owner.enterpriseId} and village_id is not distinct from ${villageId}::bigint) made
    where ${more.version ?? null}::int is null or last = ${more.version ?? null}
    on conflict do nothing returning id, version`.execute(act.tx);
  return rows[0];
}

/** The days on which a village had a value in a setting, each span with its end or open. */
export async function daysWith<K extends SettingKey>(
  read: Pick<Read, "tx" | "today">,
  villageId: number,
  key: K,
  value: BillingSetting[K],
): Promise<{ from: Day; until: Day | null }[]> {
  const { rows } = await sql<{ day: Day }>`
    select distinct s.effective_date "day" from village v
    join billing_setting s on s.enterprise_id = v.enterprise_id and (s.village_id is null or s.village_id = v.id)
    where v.id = ${villageId} and s.effective_date <= ${read.today}
      and (s.setting ? ${key} or ${key} = any(s.follows)) order by 1`.execute(read.tx);
  const spans: { from: Day; until: Day | null }[] = [];
  for (const { day } of rows) {
    const holds = (await settingsOf({ tx: read.tx, today: day }, [villageId]))(villageId)[key] === value;
    const last = spans.at(-1);
    if (holds && (!last || last.until !== null)) spans.push({ from: day, until: null });
    if (!holds && last?.until === null) last.until = addDays(day, -1);
  }
  return spans;
}

type Defaults = { terms: object; coming: ComingTerms[]; villageId: number | null };

/** Late-fee terms in force today, as the contract defaults write them, and whose they are. */
export async function lateFeeDefaults(
  read: Pick<Read, "tx" | "today">,
  owner: { enterpriseId: number; villageId: number | null },
): Promise<LateFeeFields & { origin: "village" | "enterprise" | "product" }> {
  const { rows } = await sql<Defaults>`
    select default_terms terms, coming, village_id "villageId" from contract_defaults
    where enterprise_id = ${owner.enterpriseId}
      and (village_id is null or village_id = ${owner.villageId}::bigint)
    order by village_id nulls last limit 1`.execute(read.tx);
  const [row] = rows;
  const fields = lateFeeFieldsOf(row && termsOn(row.terms, row.coming, read.today));
  return { ...fields, origin: !row ? "product" : row.villageId === null ? "enterprise" : "village" };
}

/** Late-fee terms of a bill: those that its contract has agreed; without one the village's contract defaults, which have one home. */
export async function lateFeeTermsOf(
  read: Pick<Read, "tx" | "today">,
  villageId: number,
  contractId?: number | null,
): Promise<LateFeeTerms> {
  const agreed =
    contractId &&
    (await aRow(read, "contractLateTerms", ["graceDays", "lateFeeDailyRate", "lateFeeCapPercent"], {
      contractId,
    }));
  if (agreed) return asShares(agreed as LateFeeFields);
  const { enterpriseId } = await villageOf(read, villageId);
  return asShares(await lateFeeDefaults(read, { enterpriseId, villageId }));
}

/** The enterprise of a village. */
export async function villageOf(
  read: Pick<Read, "tx">,
  villageId: number,
): Promise<{ id: number; enterpriseId: number; name: string }> {
  return theRow(read, "village", ["id", "enterpriseId", "name"], { id: villageId });
}
