import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { Refusal, invalid, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { revise, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { needsWhole } from "../../access/operator/scope.service.ts";
import {
  type ComingTerms,
  type LateFeeFields,
  lateFeeFields,
  lateFeeFieldsOf,
  termsOn,
} from "../../finance/setting/late-terms.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { type ConfigValues, configChanges, configErrors } from "./config-check.rules.ts";
import {
  CONFIG_DEFAULTS,
  type CONFIG_SOURCES,
  type CreditRule,
  type FREE_ROOM_AT,
  type MoveInRule,
  type VerifyRule,
} from "./config.rules.ts";
import { signSettingsOf } from "./sign.service.ts";

export type ContractConfig = ConfigValues & {
  /** Of the set in force; null while it is the product's. */
  id: number | null;
  villageId: number | null;
  source: keyof typeof CONFIG_SOURCES;
  version: number;
  updatedAt: string | null;
  updatedBy: string | null;
  /** Late-fee terms that have not begun yet. */
  coming: ComingTerms[];
};
export type ConfigOwner = { enterpriseId: number; villageId: number | null };

/** The values in force today: the village's own set, else the enterprise's, else the product's. */
export async function configOf(read: Pick<Read, "tx" | "today">, of: ConfigOwner): Promise<ContractConfig> {
  const row = await read.tx
    .selectFrom("contractConfig as c")
    .leftJoin("operator as o", "o.id", "c.updatedBy")
    .selectAll("c")
    .select("o.realName")
    .where("c.enterpriseId", "=", of.enterpriseId)
    .where((eb) => eb.or([eb("c.villageId", "=", of.villageId), eb("c.villageId", "is", null)]))
    .orderBy(sql`c.village_id is null`)
    .limit(1)
    .executeTakeFirst();
  const own = row && row.villageId === of.villageId;
  const coming = (row?.coming ?? []) as ComingTerms[];
  return {
    ...CONFIG_DEFAULTS,
    ...row,
    moveInRule: (row?.moveInRule ?? CONFIG_DEFAULTS.moveInRule) as MoveInRule,
    creditRule: (row?.creditRule ?? CONFIG_DEFAULTS.creditRule) as CreditRule,
    verifyRule: (row?.verifyRule ?? CONFIG_DEFAULTS.verifyRule) as VerifyRule,
    freeRoomAt: (row?.freeRoomAt ?? CONFIG_DEFAULTS.freeRoomAt) as keyof typeof FREE_ROOM_AT,
    defaultTerms: termsOn((row?.defaultTerms ?? {}) as Partial<Terms>, coming, read.today),
    coming: coming.filter((c) => c.from > read.today),
    id: row?.id ?? null,
    villageId: of.villageId,
    source: !row ? "platform" : row.villageId === null ? "enterprise" : "village",
    version: own ? row.version : 0,
    updatedAt: row?.updatedAt ?? null,
    updatedBy: row?.realName ?? null,
  };
}

/** The terms a new contract of the village starts from. */
export const startingTerms = (config: ContractConfig): Terms => ({
  ...DEFAULT_TERMS,
  ...config.defaultTerms,
});

/**
 * Writes a set; `version` 0 makes the first. Contracts handed in before keep what they were handed in with. What is to
 * come stays to come, unless it is given anew.
 */
export async function saveConfig(
  act: Act,
  of: ConfigOwner,
  values: ConfigValues,
  version: number,
  coming?: readonly ComingTerms[],
): Promise<{ id: number; version: number }> {
  const before = await configOf(act, of);
  asSeen(before, version);
  const wrong = configErrors(values);
  if (wrong.length) throw invalid(...wrong);
  const ahead = coming ?? (version ? before.coming : []);
  const row = {
    ...values,
    defaultTerms: JSON.stringify(values.defaultTerms),
    coming: JSON.stringify(ahead),
    updatedBy: act.who.operatorId,
    updatedAt: act.now,
  };
  // a first set of its own takes over how contracts were signed until now
  const { source: _signs, ...signing } = await signSettingsOf(act, of);
  const done = version
    ? await revise(act, "contractConfig", { ...of, version }, row)
    : await act.tx
        .insertInto("contractConfig")
        .values({ ...signing, ...row, ...of, createdBy: act.who.operatorId })
        .onConflict((c) => c.doNothing())
        .returning(["id", "version"])
        .executeTakeFirst();
  if (!done) throw stale();
  const { id: _i, villageId: _v, source: _s, version: _n, updatedAt: _a, updatedBy: _b, ...old } = before;
  const now = { ...values, coming: ahead };
  const first = version ? undefined : of.villageId ? "单独设置" : "首次设置";
  await act.note({
    kind: "contractConfig",
    recordId: done.id,
    villageId: of.villageId,
    action: "配置变更",
    summary: `${of.villageId ? "门店" : "企业"}合同参数（仅影响新签合同）：${configChanges(old, now, first).join("；")}`,
    before: old,
    after: now,
  });
  return done;
}

/** Takes a village's own set away: the enterprise's holds there again. Answers the village. */
export async function dropConfig(act: Act, of: ConfigOwner & { villageId: number }): Promise<{ id: number }> {
  const gone = await act.tx
    .deleteFrom("contractConfig")
    .where("enterpriseId", "=", of.enterpriseId)
    .where("villageId", "=", of.villageId)
    .returningAll()
    .executeTakeFirst();
  if (!gone) throw new Refusal("notAllowed", "该门店没有单独设置，无需取消");
  await act.note({
    kind: "contractConfig",
    recordId: gone.id,
    villageId: of.villageId,
    action: "取消单独设置",
    summary: "门店合同参数恢复沿用企业设置，仅影响新签合同",
    before: gone,
  });
  return { id: of.villageId };
}

/** The enterprise of a village; not found when there is none. */
export async function enterpriseOf(read: Pick<Read, "tx">, villageId: number): Promise<number> {
  const row = await read.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageId)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row.enterpriseId;
}

/** Whose set is meant: a village of the operator's, or without one that of the whole enterprise. */
export async function configOwner(read: Read, villageId: number | undefined): Promise<ConfigOwner> {
  if (!villageId) return { enterpriseId: read.who.enterpriseId, villageId: null };
  return { enterpriseId: await enterpriseOf(read, inScope(read.who, villageId)), villageId };
}

/** The same for a change: the enterprise's set belongs to who manages all its villages. */
export async function changedOwner(read: Read, villageId: number | undefined): Promise<ConfigOwner> {
  const owner = await configOwner(read, villageId);
  if (owner.villageId === null) await needsWhole(read, owner.enterpriseId);
  return owner;
}

const KEYS = Object.keys(lateFeeFields.shape) as (keyof LateFeeFields)[];

/**
 * Sets the late-fee terms of a set from a day on: at once when it is today, else they wait in the set until then. Only
 * what differs from what would hold on that day is written. A village without a set of its own gets one.
 */
export async function saveLateFeeTerms(
  act: Act,
  of: ConfigOwner,
  wanted: LateFeeFields,
  { effectiveDate, version }: { effectiveDate: Day; version: number },
): Promise<{ id: number; version: number }> {
  if (effectiveDate < act.today) throw invalid({ field: "effectiveDate", msg: "生效日期不能早于今天" });
  const config = await configOf(act, of);
  asSeen(config, version);
  const coming = version ? config.coming : [];
  const standing = lateFeeFieldsOf(termsOn(config.defaultTerms, coming, effectiveDate));
  const terms = Object.fromEntries(
    KEYS.filter((key) => wanted[key] !== standing[key]).map((key) => [key, wanted[key]]),
  ) as ComingTerms["terms"];
  if (!Object.keys(terms).length) throw invalid({ field: "", msg: "没有修改" });
  const { holdDays, backdateDays, renewalWindowDays, renewNeedsPaid, moveInRule, freeRoomAt } = config;
  const { silentDays, creditRule, verifyRule, maxDepositMonths, maxPrepayMonths, defaultTerms } = config;
  const values = {
    holdDays,
    backdateDays,
    renewalWindowDays,
    renewNeedsPaid,
    moveInRule,
    freeRoomAt,
    silentDays,
    creditRule,
    verifyRule,
    maxDepositMonths,
    maxPrepayMonths,
    defaultTerms,
  };
  if (effectiveDate === act.today)
    return saveConfig(act, of, { ...values, defaultTerms: { ...defaultTerms, ...terms } }, version, coming);
  const same = coming.find((c) => c.from === effectiveDate);
  const ahead = [
    ...coming.filter((c) => c !== same),
    { from: effectiveDate, terms: { ...same?.terms, ...terms } },
  ].toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return saveConfig(act, of, values, version, telling(defaultTerms, ahead));
}

/** Without what changes nothing on its day: terms that were taken back before they began. */
function telling(start: object, ahead: readonly ComingTerms[]): ComingTerms[] {
  let standing = lateFeeFieldsOf(start);
  return ahead.flatMap(({ from, terms }) => {
    const changed = Object.fromEntries(
      KEYS.filter((key) => key in terms && terms[key] !== standing[key]).map((key) => [key, terms[key]]),
    ) as ComingTerms["terms"];
    standing = { ...standing, ...changed };
    return Object.keys(changed).length ? [{ from, terms: changed }] : [];
  });
}
