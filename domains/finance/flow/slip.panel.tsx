import { Money } from "../../../platform/console/parts/kinds.tsx";
import { chineseYuan, yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { spanOf } from "./taking.rules.ts";
import { CHANNELS, type Channel } from "./words.rules.ts";
import "./counter.css";

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
  <article className="slip" aria-label="收据">
    <header>
      <h1>收款收据</h1>
      <p>
        <span>{of.villageName}</span>
        <span>{of.flowNo && `No. ${of.flowNo}`}</span>
      </p>
    </header>
    <dl>
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
      <thead>
        <tr>
          <th>费用</th>
          <th>计费期</th>
          <th>账单号</th>
          <th className="num">金额（元）</th>
        </tr>
      </thead>
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
    <footer>
      <span>经办人：{of.operator}</span>
      <span>收款单位（盖章）：</span>
      <span>交款人签字：</span>
    </footer>
  </article>
);
