import { maxDay } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { asShares } from "../setting/late-terms.rules.ts";
import { firstLateDay, lateFee } from "./latefee.rules.ts";
import { lateFeeTrial } from "./trial.contract.ts";

export default [
  serveRead(lateFeeTrial, async (read, { body }) => {
    const { principal, dueDate, payments } = body;
    const paid = payments.reduce((sum, p) => sum + p.amount, 0);
    if (paid > principal) throw invalid({ field: "payments", msg: "收款合计不能超过本金" });
    const last = payments.reduce((day, p) => maxDay(day, p.day), dueDate);
    const until = body.until ?? (paid === principal ? last : maxDay(last, read.today));
    if (until < dueDate) throw invalid({ field: "until", msg: "计算到的日期不能早于应收日" });
    const { graceDays, lateFeeRate, lateFeeCap } = asShares(body);
    const fee = lateFee(
      {
        principal,
        dueDate,
        graceDays,
        rate: lateFeeRate,
        cap: lateFeeCap,
        changes: payments.map((p) => ({
          day: p.day,
          amount: -p.amount,
          because: `${p.day} 收款 ${yuan(p.amount)}`,
        })),
        disputes: [],
      },
      until,
    );
    return { ...fee, firstDay: firstLateDay(dueDate, graceDays), until, open: principal - paid };
  }),
];
