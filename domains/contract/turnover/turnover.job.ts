import { addDays } from "../../../platform/kernel/day.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import {
  CLOSED,
  type ShopMonth,
  declareOn,
  meanOfThree,
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
 * Reminds on the day of the last month of all that are not declared, and estimates the last when nobody has declared it five days
 * later.
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
      const month = shop.months.findLast((m) => m.to < act.today);
      if (!month) return 0;
      const rule = ruleOf(shop.terms.turnover);
      const day = declareOn(month, rule.declareDay);
      if (act.today >= addDays(day, ESTIMATE_AFTER)) {
        if (isDeclared(month, all)) return 0;
        const closed = all.filter((s) => (CLOSED as readonly string[]).includes(s.state)).map((s) => s.net);
        const gross = rule.missing === "avg3" ? meanOfThree(closed) : 0;
        const note = rule.missing === "avg3" ? "未申报，按近三月均值暂估" : "未申报，按保底暂估";
        const figures = { gross, refunds: 0, excluded: 0, note, submit: true };
        await declare(keeper, { contractId: due.id, monthNo: month.no, ...figures }, "estimated");
        return 1;
      }
      const open = undeclaredMonths(shop.months, all, act.today);
      return act.today >= day && open.length ? remind(act, due, shop, month, open) : 0;
    },
  );
}

/** One message for all months of the shop, once for its last month. */
async function remind(
  act: Act,
  due: DueShop,
  shop: Shop,
  month: ShopMonth,
  open: readonly ShopMonth[],
): Promise<number> {
  const names = open.map((m) => m.from.slice(0, 7));
  const name = names.join("、");
  const short = names.length > 3 ? `${names.slice(0, 3).join("、")} 等 ${names.length} 个月` : name;
  await tell(act, {
    to: [due.keeper],
    type: 3,
    title: `${shop.partyName} ${short} 营业额待申报`,
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
