import type { z } from "zod";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { indicatorsOf } from "../budget-indicator/indicators.queries.ts";
import type { Indicator } from "../budget-indicator/source.rules.ts";
import { MONTHS, evaluator } from "../budget-indicator/value.rules.ts";
import { type Code, valueRefusal } from "../indicator/figure.rules.ts";
import type { bringBudgets } from "../target/target.contract.ts";
import { TARGET_CODES, monthsOf } from "../target/target.rules.ts";
import { linkTargets, linkedTargets, lockTargets } from "../target/target.service.ts";
import { targetFrom } from "./budget.rules.ts";
import { type Version, plannedOf, versionsOf } from "./plan.queries.ts";

/** The indicators in use that a target of the dashboard can be taken from. */
export const fittingOf = async (read: Pick<Read, "tx" | "who">, code: Code): Promise<Indicator[]> =>
  (await indicatorsOf(read)).filter((one) => one.enabled && targetFrom(code, one));

/** What versions say of an indicator in a month, as a target says it; null where they say nothing, or what no target can be. */
async function sayings(read: Read, versions: readonly Version[], year: number) {
  const indicators = await indicatorsOf(read);
  const figures = evaluator(indicators, await plannedOf(read, indicators, versions, year));
  const byId = new Map(indicators.map((one) => [one.id, one]));
  return (code: Code, indicatorId: number, villageId: number, month: number): number | null => {
    const one = byId.get(indicatorId);
    const value = one ? figures.value(one, { villages: [villageId], months: [month] }) : null;
    if (value === null) return null;
    const target = one!.unit === "percent" ? value / 10_000 : value;
    return valueRefusal(code, target) ? null : target;
  };
}

/** Brings a year of targets in from the budgets in force, instead of whatever stood there. */
export async function bringIn(act: Act, body: z.output<typeof bringBudgets.body>) {
  const { code, year, villageIds, budgetIndicatorId, note } = body;
  if (villageIds.some((id) => !act.who.villages.includes(id))) throw notFound();
  const one = (await fittingOf(act, code)).find(({ id }) => id === budgetIndicatorId);
  if (!one) throw invalid({ field: "budgetIndicatorId", msg: "请选择预算指标" });
  // a version that comes in force meanwhile waits, and then finds what is linked here
  await lockTargets(act, code);
  const versions = (await versionsOf(act, villageIds, year)).filter((v) => v.state === "inForce");
  if (!versions.length) throw new Refusal("nothing", `所选门店没有 ${year} 年生效的预算`);
  const say = await sayings(act, versions, year);
  const cells = versions.flatMap(({ villageId }) =>
    monthsOf(year).flatMap((month, i) => {
      const value = say(code, one.id, villageId, MONTHS[i]!);
      return value === null ? [] : [{ villageId, month, value }];
    }),
  );
  if (!cells.length) throw new Refusal("nothing", `生效的预算没有填写“${one.name}”`);
  const saved = await linkTargets(act, code, one.id, cells, { note: `预算“${one.name}”`, why: note });
  return { saved, without: villageIds.length - versions.length };
}

/** Targets that were brought in from the budget of a store say what the version says that has come in force. */
export async function followBudget(act: Act, v: Version): Promise<void> {
  let say: Awaited<ReturnType<typeof sayings>> | undefined;
  for (const code of TARGET_CODES) {
    await lockTargets(act, code);
    const linked = await linkedTargets(act, code, v.villageId, v.year);
    if (!linked.length) continue;
    say ??= await sayings(act, [v], v.year);
    for (const [id, cells] of Map.groupBy(linked, (c) => c.budgetIndicatorId))
      await linkTargets(
        act,
        code,
        id,
        cells.map(({ month }) => ({
          villageId: v.villageId,
          month,
          value: say!(code, id, v.villageId, Number(month.slice(5))),
        })),
        { note: `预算第 ${v.no} 版生效` },
      );
  }
}
