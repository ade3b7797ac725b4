import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { type Fen, chineseYuan, yuan } from "../../../platform/kernel/fen.ts";
import { CHANNELS, type Channel } from "../account/channel.rules.ts";
import { getFlow } from "../flow/flow.contract.ts";
import { receiptLines, spanOf, toPrepaid } from "../flow/flow.rules.ts";
import "./flow.css";

type SlipLine = {
  subject: string;
  billNo: string;
  periodStart: string | null;
  periodEnd: string | null;
  amount: Fen;
};
export type SlipOf = {
  flowNo: string;
  villageName: string;
  partyName: string;
  payerName: string;
  rooms: string;
  paidOn: string;
  channel: Channel | null;
  amount: Fen;
  lines: readonly SlipLine[];
  /** What of the money went to the prepaid balance. */
  prepaid: Fen;
  /** What was paid out of the prepaid balance besides. */
  fromPrepaid?: Fen;
  operator: string;
  remark: string;
};

/** A receipt as it is handed over the counter. Printing shows nothing else of the page. */
export const Slip = ({ of }: { of: SlipOf }) => (
  <article className="slip fs-13" aria-label="收据">
    <header>
      <h1>收款收据</h1>
      <p className="row gap-0 between">
        <span>{of.villageName}</span>
        <span>{of.flowNo && `No. ${of.flowNo}`}</span>
      </p>
    </header>
    <dl className="grid">
      <dt>客户</dt>
      <dd>
        {of.partyName}
        {of.payerName && of.payerName !== of.partyName && `（付款人 ${of.payerName}）`}
      </dd>
      <dt>收款日期</dt>
      <dd>{of.paidOn}</dd>
      <dt>房间</dt>
      <dd>{of.rooms || "—"}</dd>
      <dt>收款方式</dt>
      <dd>{of.channel ? CHANNELS[of.channel][0] : "预存款"}</dd>
    </dl>
    <table>
      <Heads of={["费用", "计费期", "账单号", ["金额（元）", "num"]]} />
      <tbody>
        {of.lines.map((line, i) => (
          <tr key={i}>
            <td>{line.subject}</td>
            <td>{line.periodStart && line.periodEnd ? spanOf(line.periodStart, line.periodEnd) : "—"}</td>
            <td>{line.billNo}</td>
            <td className="num">
              <Money fen={line.amount} />
            </td>
          </tr>
        ))}
        {of.prepaid > 0 && (
          <tr>
            <td>预存款</td>
            <td>—</td>
            <td>—</td>
            <td className="num">
              <Money fen={of.prepaid} />
            </td>
          </tr>
        )}
        {of.channel !== null && (of.fromPrepaid ?? 0) > 0 && (
          <tr>
            <td colSpan={3}>其中使用预存款</td>
            <td className="num">
              <Money fen={-(of.fromPrepaid ?? 0)} />
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>
            合计人民币（大写）<b>{chineseYuan(of.amount)}</b>
          </td>
          <td className="num">
            <b>{yuan(of.amount)}</b>
          </td>
        </tr>
      </tfoot>
    </table>
    {of.remark && <p className="slip__remark">备注：{of.remark}</p>}
    <footer className="grid gap-6">
      <span>经办人：{of.operator}</span>
      <span>收款单位（盖章）：</span>
      <span>交款人签字：</span>
    </footer>
  </article>
);

/** The receipt of a flow as it stands now, to be printed again. */
export function SlipDialog({ flowId, onClose }: { flowId: number; onClose: () => void }) {
  const { data: flow, error, refetch } = useQuery(ask(getFlow, { params: { id: flowId } }));
  return (
    <Dialog
      title="收据"
      width={820}
      onClose={onClose}
      footer={
        <Foot cancel={onClose} word="关闭">
          <Button
            icon="file"
            why={flow ? undefined : "正在加载"}
            run={() => openFile(`/billing/api/v3/flow/${flowId}/receipt`)}
          >
            PDF
          </Button>
          <Button look="main" icon="print" why={flow ? undefined : "正在加载"} run={() => print()}>
            打印
          </Button>
        </Foot>
      }
    >
      {flow ? (
        <Slip
          of={{
            ...flow,
            partyName: flow.partyName ?? "",
            rooms: flow.roomName ?? "",
            lines: receiptLines(flow),
            prepaid: toPrepaid(flow),
            operator: flow.creator,
          }}
        />
      ) : error ? (
        <Broken error={error} retry={refetch} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Dialog>
  );
}
