import { addDays } from "../../../platform/kernel/day.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import type { TurnoverRule } from "../terms/terms.contract.ts";
import {
  CLOSED,
  type ShopMonth,
  declareOn,
  meanOfThree,
  monthsInShort,
  ruleOf,
  undeclaredMonths,
} from "./statement.rules.ts";
import { declare } from "./statement.service.ts";
import {
  dueShops,
  type DueShop,
  shopOf,
  type Statement,
  statementsOf,
  type Shop,
} from "./statement.queries.ts";

/** So many days after the day of declaration a month is estimated. */
export const ESTIMATE_AFTER = 5;

const isDeclared = (month: ShopMonth, all: readonly Statement[]): boolean =>
  all.some((s) => s.monthNo === month.no && s.state !== "corrected");

/**
 * Reminds on the day of the last month of all that are not declared, and estimates a month when nobody has declared it five days after
 * its day. Where that is late in the month, the next one has ended by then.
 */
export async function followTurnover(act: Act): Promise<number> {
  return eachByItself(
    act,
    await dueShops(act),
    ({ contractNo }) => contractNo,
    async (due) => {
      const keeper: Act = { ...act, who: { ...act.who, villages: [due.villageId] } };
      const shop = await shopOf(keeper, due.id);
      const all = await statementsOf(act, due.id);
      const rule = ruleOf(shop.terms.turnover);
      const over = shop.months.filter((m) => m.to < act.today);
      const guessOn = (m: ShopMonth) => addDays(declareOn(m, rule.declareDay), ESTIMATE_AFTER);
      const missing = over.findLast((m) => act.today >= guessOn(m));
      const guesses = missing !== undefined && !isDeclared(missing, all);
      if (guesses) await estimate(keeper, due.id, missing, rule, all);
      const last = over.at(-1);
      if (!last || act.today < declareOn(last, rule.declareDay) || act.today >= guessOn(last))
        return guesses ? 1 : 0;
      const open = undeclaredMonths(shop.months, all, act.today);
      return open.length ? remind(act, due, shop, last, open) : 0;
    },
  );
}

/** Declares a month by what its rule says of one that nobody declared. */
async function estimate(
  keeper: Act,
  contractId: number,
  { no: monthNo }: ShopMonth,
  { missing }: TurnoverRule,
  all: readonly Statement[],
): Promise<void> {
  const closed = all.filter((s) => (CLOSED as readonly string[]).includes(s.state) && s.monthNo < monthNo);
  const gross = missing === "avg3" ? meanOfThree(closed.map((s) => s.net)) : 0;
  const note = missing === "avg3" ? "未申报，按近三月均值暂估" : "未申报，按保底暂估";
  const figures = { gross, refunds: 0, excluded: 0, note, submit: true };
  await declare(keeper, { contractId, monthNo, ...figures }, "estimated");
}

/** One message for all months of the shop, once for its last month. */
async function remind(
  act: Act,
  due: DueShop,
  shop: Shop,
  month: ShopMonth,
  open: readonly ShopMonth[],
): Promise<number> {
  const name = open.map((m) => m.from.slice(0, 7)).join("、");
  await tell(act, {
    to: [due.keeper],
    type: 3,
    title: `${shop.partyName} ${monthsInShort(open)} 营业额待申报`,
    content: `商户${shop.partyName}（${shop.contractNo}）还没有申报 ${name} 的营业额，请催报或代为填写。`,
    bizType: "contract",
    bizId: due.id,
    villageId: due.villageId,
    facts: [
      ["门店", due.villageName],
      ["商户", shop.partyName],
      ["月份", name],
    ],
    once: `turnover.remind.${due.id}.${month.from}`,
  });
  return 1;
}

export default [
  job({ name: "contracts.turnover", title: "营业额催报与暂估", cron: "40 8 * * *", work: followTurnover }),
];
