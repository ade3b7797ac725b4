import { sql } from "kysely";
import { z } from "zod";
import { decimal, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { effective, LATE_FEE_TERMS, type BillingSetting, type LateFeeTerms } from "./setting.rules.ts";

/** What holds in each village: the product's defaults, then the enterprise's, then the village's own fields. */
export async function settingsOf(
  read: Read,
  villageIds: readonly number[],
): Promise<(villageId: number) => BillingSetting> {
  const { rows } = await sql<{ id: number; general: unknown; own: unknown }>`
    select v.id, e.setting general, o.setting own from village v
    left join billing_setting e on e.enterprise_id = v.enterprise_id and e.village_id is null
    left join billing_setting o on o.enterprise_id = v.enterprise_id and o.village_id = v.id
    where v.id = any(${[...new Set(villageIds)]}::bigint[])`.execute(read.tx);
  const all = new Map(rows.map((row) => [row.id, effective(row.general, row.own)]));
  return (villageId) => all.get(villageId) ?? effective();
}

/** Sets some fields for an enterprise, or for one of its villages. */
export async function setBilling(
  act: Pick<Act, "tx">,
  where: { enterpriseId: number; villageId?: number },
  fields: Partial<BillingSetting>,
): Promise<void> {
  await sql`
    insert into billing_setting (enterprise_id, village_id, setting)
    values (${where.enterpriseId}, ${where.villageId ?? null}, ${JSON.stringify(fields)}::jsonb)
    on conflict (enterprise_id, village_id) do update
      set setting = billing_setting.setting || excluded.setting, version = billing_setting.version + 1`.execute(
    act.tx,
  );
}

/** As the village's contract defaults write them: rate and cap in percent. */
const terms = z.object({
  graceDays: z.number().int().min(0).max(60).optional(),
  lateFeeDailyRate: z
    .string()
    .regex(/^\d(\.\d{1,4})?$/)
    .optional(),
  lateFeeCapPercent: z.number().int().min(0).max(100).optional(),
});
const shareOf = (percent: string | number) =>
  String(halfUp(times(decimal(String(percent)), ratio(10_000))) / 1_000_000);

/** Late-fee terms of a bill without a contract: the village's contract defaults, which have one home. */
export async function lateFeeTermsOf(read: Read, villageId: number): Promise<LateFeeTerms> {
  const { rows } = await sql<{ defaultTerms: unknown }>`
    select c.default_terms "defaultTerms" from village v join contract_config c on c.enterprise_id = v.enterprise_id
      and (c.village_id = v.id or c.village_id is null)
    where v.id = ${villageId} order by c.village_id nulls last limit 1`.execute(read.tx);
  const found = terms.safeParse(rows[0]?.defaultTerms ?? {});
  if (!found.success) return LATE_FEE_TERMS;
  const { graceDays, lateFeeDailyRate, lateFeeCapPercent } = found.data;
  return {
    graceDays: graceDays ?? LATE_FEE_TERMS.graceDays,
    lateFeeRate: lateFeeDailyRate === undefined ? LATE_FEE_TERMS.lateFeeRate : shareOf(lateFeeDailyRate),
    lateFeeCap: lateFeeCapPercent === undefined ? LATE_FEE_TERMS.lateFeeCap : shareOf(lateFeeCapPercent),
  };
}

/** The enterprise of a village. */
export async function villageOf(
  read: Pick<Read, "tx">,
  villageId: number,
): Promise<{ id: number; enterpriseId: number; name: string }> {
  return read.tx
    .selectFrom("village")
    .select(["id", "enterpriseId", "name"])
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow();
}
