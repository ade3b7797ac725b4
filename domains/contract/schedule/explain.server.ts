import type { Served } from "../../../platform/server/pipeline/serve.ts";
import { explains, type Said } from "../../finance/bill-list/explain.service.ts";
import { pricedOf, recompute, sentences } from "./sentence.rules.ts";
import type { Explain } from "./line.rules.ts";

const RULE: Record<Explain["rule"], string> = {
  rent: "按月计租，不足一月按约定方式折算",
  fee: "周期费用，不足一月按约定方式折算",
  free: "免租期",
  wholePeriod: "周期费用，不足整期按整期",
  once: "一次性费用",
  depositAmount: "约定押金",
  depositMonths: "押金按月租计算",
  depositRest: "押金减去转入的押金",
  firstMonths: "优惠：首月减免",
  percentOff: "优惠：按比例",
  amountOff: "优惠：减免金额",
};

// Bills keep the schedule's explanation of each line; this is how it reads, and how it works out again.
explains(Object.keys(RULE), (stored) => {
  const explain = stored as unknown as Explain;
  const { rows, note } = sentences(explain);
  const said: Said[] = [["规则", `${RULE[explain.rule]}（条款第 ${explain.termsVersion} 版）`]];
  rows.forEach((row, i) => said.push([rows.length > 1 ? `算式 ${i + 1}` : "算式", row]));
  if (note) said.push(["取整", note]);
  return { rows: said, amount: recompute(explain), priced: pricedOf(explain) };
});

export default [] satisfies Served[];
