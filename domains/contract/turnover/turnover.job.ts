import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import { CLOSED, type ShopMonth, declareOn, meanOfThree, ruleOf } from "./statement.rules.ts";
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

/** The last month that has ended and was not declared. */
function missing(shop: Shop, all: readonly Statement[], today: Day): ShopMonth | undefined {
  const month = shop.months.findLast((m) => m.to < today);
  const there = month && all.some((s) => s.monthNo === month.no && s.state !== "corrected");
  return there ? undefined : month;
}

/** Reminds of a month on its day, and estimates it when nobody has declared it five days later. */
export async function followTurnover(act: Act): Promise<number> {
  return eachByItself(
    act,
    await dueShops(act),
    ({ contractNo }) => contractNo,
    async (due) => {
      const keeper: Act = { ...act, who: { ...act.who, villages: [due.villageId] } };
      const shop = await shopOf(keeper, due.id);
      const all = await statementsOf(act, due.id);
      const month = missing(shop, all, act.today);
      if (!month) return 0;
      const rule = ruleOf(shop.terms.turnover);
      const day = declareOn(month, rule.declareDay);
      if (act.today >= addDays(day, ESTIMATE_AFTER)) {
        const closed = all.filter((s) => (CLOSED as readonly string[]).includes(s.state)).map((s) => s.net);
        const gross = rule.missing === "avg3" ? meanOfThree(closed) : 0;
        const note = rule.missing === "avg3" ? "未申报，按近三月均值暂估" : "未申报，按保底暂估";
        const figures = { gross, refunds: 0, excluded: 0, note, submit: true };
        await declare(keeper, { contractId: due.id, monthNo: month.no, ...figures }, "estimated");
        return 1;
      }
      return act.today >= day ? remind(act, due, shop, month) : 0;
    },
  );
}

async function remind(act: Act, due: DueShop, shop: Shop, month: ShopMonth): Promise<number> {
  const name = month.from.slice(0, 7);
  await tell(act, {
    to: [due.keeper],
    type: 3,
    title: `${shop.partyName} ${name} 营业额待申报`,
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
