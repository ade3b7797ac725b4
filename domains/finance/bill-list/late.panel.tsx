import { Link } from "react-router";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { percentOf } from "../bill/percent.rules.ts";
import type { getBill } from "./bill.contract.ts";

type Bill = Reply<typeof getBill>;

/** "LS20261105-000087 收款 1,500.00": the number opens the flow. */
function Because({ text, bill }: { text: string; bill: Bill }) {
  const number = /^LS\d{8}-\d+/.exec(text)?.[0];
  const flowId = bill.allocations.find((a) => a.flowNo === number)?.flowId;
  const to = flowId ? reach(FLOWS, { id: flowId }) : undefined;
  if (!number || !to) return text;
  return (
    <>
      <Link to={to}>{number}</Link>
      {text.slice(number.length)}
    </>
  );
}

/** The late fee by segments: from, to, principal, days, rate, fee. */
export function LateFee({ bill }: { bill: Bill }) {
  const { segments, days, total, frozen, expected, capped } = bill.late;
  if (!segments.length)
    return (
      <Empty
        text={
          Number(bill.lateFeeRate) > 0
            ? `没有滞纳金：应收日后 ${bill.graceDays} 天内付清不计`
            : "该账单不计滞纳金"
        }
      />
    );
  return (
    <>
      <div className="box">
        <table className="tbl tbl--flat">
          <thead>
            <tr>
              <th>起</th>
              <th>止</th>
              <th>分段原因</th>
              <th className="num">欠款本金</th>
              <th className="num">天数</th>
              <th className="num">日利率</th>
              <th className="num">滞纳金</th>
            </tr>
          </thead>
          <tbody>
            {segments.map((s) => (
              <tr key={s.from}>
                <td>{s.from}</td>
                <td>{s.to}</td>
                <td className="dim">
                  <Because text={s.because} bill={bill} />
                </td>
                <td className="num">
                  <Money fen={s.principal} />
                </td>
                <td className="num">{s.days}</td>
                <td className="num dim">{percentOf(s.rate)}</td>
                <td className="num">
                  <Money fen={s.fee} />
                </td>
              </tr>
            ))}
            <tr className="sum">
              <td colSpan={4}>{capped ? "合计，已到上限" : "合计"}</td>
              <td className="num">{days}</td>
              <td />
              <td className="num">{yuan(total)}</td>
            </tr>
          </tbody>
        </table>
      </div>
      <p className="dim" style={{ fontSize: 12, marginTop: 8 }}>
        已入账 {yuan(frozen)}，未入账 {yuan(Math.max(0, expected))}。宽限 {bill.graceDays} 天，日利率{" "}
        {percentOf(bill.lateFeeRate)}，最高为本金的 {bill.lateFeeCap * 100}%。
      </p>
    </>
  );
}
