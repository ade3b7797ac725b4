import { useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { usePreviewed } from "../../../platform/console/form/confirm-drawer.tsx";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { type FlowRow, confirmFlow, previewConfirm } from "../flow/flow.contract.ts";
import { goneToPrepaid, spanOf } from "../flow/flow.rules.ts";
import type { ReceiptPreview } from "../flow/receive.contract.ts";
import "./flow.css";

/** What money will do, line by line in the order it is paid, with what is left over. */
export function Allotment({ preview, stale = false }: { preview: ReceiptPreview; stale?: boolean }) {
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

/** The second person sees what the money will pay, as of now, and says that it is there. */
export function ConfirmForm({ flow, onClose }: { flow: FlowRow; onClose: () => void }) {
  const refresh = useRefresh();
  const [alert, setAlert] = useState<string>();
  const params = { id: flow.id };
  const plan = usePreviewed({
    of: { ...ask(previewConfirm, { params }), staleTime: 0, retry: false },
    take: async ({ hash }, idempotencyKey) => {
      await send(confirmFlow, { params, body: { previewHash: hash } }, { idempotencyKey });
      return "已确认到账";
    },
    onClose,
  });
  const confirm = async () => {
    setAlert(undefined);
    try {
      await plan.run();
    } catch (error) {
      setAlert(sentence(error));
      await refresh();
    }
  };
  const effects = plan.preview ? effectsOf(plan.preview, dayInZone(new Date(flow.paidAt))) : [];
  return (
    <Dialog
      title={`确认${flow.direction === "in" ? "到账" : "付款"}`}
      width={520}
      onClose={onClose}
      footer={
        <Foot form={{ alert }} cancel={onClose}>
          <Button look="main" why={plan.preview ? undefined : "正在试算"} run={confirm}>
            确认{flow.direction === "in" ? "到账" : "付款"}
          </Button>
        </Foot>
      }
    >
      <FormAlert text={alert} />
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
      {plan.preview ? (
        <div className="waiting__box fs-13">
          <Allotment preview={plan.preview} />
          {effects.length > 0 && <p className="effects fs-12 dim">{effects.join("；")}</p>}
        </div>
      ) : plan.error ? (
        <Broken error={plan.error} retry={plan.refetch} />
      ) : (
        <RowsSkeleton rows={3} />
      )}
    </Dialog>
  );
}
