import { memo } from "react";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { ConfirmDialog } from "../../../platform/console/form/confirm-drawer.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { type FlowRow, confirmFlow, previewConfirm } from "../flow/flow.contract.ts";
import { goneToPrepaid, spanOf } from "../flow/flow.rules.ts";
import type { ReceiptPreview } from "../flow/receive.contract.ts";
import "./flow.css";

/** What money will do, line by line in the order it is paid, with what is left over. */
export const Allotment = memo(function Allotment({
  preview,
  stale = false,
}: {
  preview: ReceiptPreview;
  stale?: boolean;
}) {
  const paid = preview.rows.filter((row) => row.pay > 0);
  const missed = preview.rows.length - paid.length;
  return (
    <div className={`allot ${stale ? "allot--stale" : ""}`}>
      <ol>
        {paid.map((row) => (
          <li key={`${row.billId} ${row.lineId}`} className="row baseline between gap-6">
            <span className="cut">
              {row.subject}
              <small className="fs-12 dim">{row.lateFee ? `应收 ${row.dueDate}` : periodOf(row)}</small>
            </span>
            <Money fen={row.pay} />
          </li>
        ))}
        {preview.toPrepaid > 0 && (
          <li className="allot__rest row baseline between gap-6">
            <span>转入预存款</span>
            <Money fen={preview.toPrepaid} strong />
          </li>
        )}
      </ol>
      {!paid.length && preview.toPrepaid === 0 && <p className="dim">没有可支付的费用</p>}
      {missed > 0 && <p className="dim">另有 {missed} 项所选费用未分配到金额</p>}
    </div>
  );
});

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

/** The second person sees what the money will pay, as of now, and says that it is there. */
export function ConfirmForm({ flow, onClose }: { flow: FlowRow; onClose: () => void }) {
  const params = { id: flow.id };
  const title = `确认${flow.direction === "in" ? "到账" : "付款"}`;
  return (
    <ConfirmDialog
      title={title}
      ok={title}
      of={ask(previewConfirm, { params })}
      take={async ({ hash }, idempotencyKey) => {
        await send(confirmFlow, { params, body: { previewHash: hash } }, { idempotencyKey });
        return "已确认到账";
      }}
      onClose={onClose}
      head={
        <dl className="confirming grid fs-13">
          <dt className="dim">{CHANNELS[flow.channel][0]}</dt>
          <dd>{flow.accountName}</dd>
          <dt className="dim">客户</dt>
          <dd>{flow.partyName ?? "—"}</dd>
          <dt className="dim">金额</dt>
          <dd>
            <b>{yuan(flow.amount)}</b>
          </dd>
        </dl>
      }
    >
      {(preview) => {
        const effects = effectsOf(preview, dayInZone(new Date(flow.paidAt)));
        return (
          <div className="waiting__box fs-13">
            {flow.kind === "thirdParty" ? <p>结算第三方收入</p> : <Allotment preview={preview} />}
            {effects.length > 0 && <p className="effects fs-12 dim">{effects.join("；")}</p>}
          </div>
        );
      }}
    </ConfirmDialog>
  );
}
