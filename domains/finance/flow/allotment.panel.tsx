import { Money } from "../../../platform/console/parts/kinds.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { goneToPrepaid } from "./flow.rules.ts";
import type { ReceiptPreview } from "./receive.contract.ts";
import { spanOf } from "./taking.rules.ts";
import "./counter.css";

/** What money will do, line by line in the order it is paid, with what is left over. */
export function Allotment({ preview, stale = false }: { preview: ReceiptPreview; stale?: boolean }) {
  const paid = preview.rows.filter((row) => row.pay > 0);
  const missed = preview.rows.length - paid.length;
  return (
    <div className={`allot ${stale ? "allot--stale" : ""}`}>
      <ol>
        {paid.map((row) => (
          <li key={`${row.billId} ${row.lineId}`}>
            <span className="cut">
              {row.subject}
              <small>{row.lateFee ? `应收 ${row.dueDate}` : periodOf(row)}</small>
            </span>
            <Money fen={row.pay} />
          </li>
        ))}
        {preview.toPrepaid > 0 && (
          <li className="allot__rest">
            <span>转入预存款</span>
            <Money fen={preview.toPrepaid} strong />
          </li>
        )}
      </ol>
      {!paid.length && preview.toPrepaid === 0 && <p className="dim">没有可支付的费用</p>}
      {missed > 0 && <p className="dim">另有 {missed} 项所选费用未分配到金额</p>}
    </div>
  );
}

const periodOf = (row: { periodStart: string | null; periodEnd: string | null; dueDate: string }) =>
  row.periodStart && row.periodEnd ? spanOf(row.periodStart, row.periodEnd) : `应收 ${row.dueDate}`;

/** Side effects of a receipt that somebody should know of before it is taken. */
export function effectsOf(preview: ReceiptPreview, paidOn: string | undefined): string[] {
  const frozen = preview.frozen.reduce((sum, f) => sum + f.amount, 0);
  return [
    preview.voided.length > 0 && goneToPrepaid(preview),
    preview.issued.length > 0 && `${preview.issued.length} 笔未出账账单将立即出账`,
    frozen > 0 && `滞纳金 ${yuan(frozen)} 将入账`,
    preview.fee > 0 && `渠道手续费 ${yuan(preview.fee)}`,
    paidOn !== undefined &&
      preview.postedOn !== paidOn &&
      `该月已锁账，将记入 ${preview.postedOn}，业务日期保留`,
  ].filter((text): text is string => Boolean(text));
}
