import type { Day } from "../../../platform/kernel/day.ts";
import { invalid, stale } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import {
  lateFeeFields,
  lateFeeFieldsOf,
  termsOn,
  type ComingTerms,
  type LateFeeFields,
} from "../../finance/setting/late-terms.rules.ts";
import { configOf, saveConfig, type ConfigOwner } from "./config.service.ts";

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
  if (config.version !== version) throw stale();
  const coming = version ? config.coming : [];
  const standing = lateFeeFieldsOf(termsOn(config.defaultTerms, coming, effectiveDate));
  const terms = Object.fromEntries(
    KEYS.filter((key) => wanted[key] !== standing[key]).map((key) => [key, wanted[key]]),
  ) as ComingTerms["terms"];
  if (!Object.keys(terms).length) throw invalid({ field: "", msg: "没有修改" });
  const { holdDays, backdateDays, renewalWindowDays, moveInRule, freeRoomAt, creditRule, verifyRule } =
    config;
  const { maxDepositMonths, maxPrepayMonths, defaultTerms } = config;
  const values = {
    holdDays,
    backdateDays,
    renewalWindowDays,
    moveInRule,
    freeRoomAt,
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
