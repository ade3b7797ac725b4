import { useQuery } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Link } from "react-router";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { contractFlows, FLOW_WAYS, type contractMoney } from "./detail.contract.ts";
import type { z } from "zod";

/** What came in for the contract's bills and what was taken back; its sum is 已收 and 核销 of the head. */
export function ContractFlows({ id, money }: { id: number; money: z.output<typeof contractMoney> }) {
  const { data, error, refetch } = useQuery(ask(contractFlows, { params: { id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  if (!data.length) return <Empty text="还没有收款" />;
  return (
    <div className="box">
      <table className="tbl">
        <thead>
          <tr>
            <th>日期</th>
            <th>方式</th>
            <th>渠道</th>
            <th>流水号</th>
            <th>付款人</th>
            <th>账单</th>
            <th className="num">金额</th>
          </tr>
        </thead>
        <tbody>
          {data.map((flow: Reply<typeof contractFlows>[number]) => (
            <tr key={flow.id}>
              <td>{flow.date}</td>
              <td>
                <WordTag words={FLOW_WAYS} code={flow.way} />
              </td>
              <td>{flow.channel ? CHANNELS[flow.channel][0] : NONE}</td>
              <td>
                {flow.flowId && flow.flowNo ? (
                  <Link to={pathTo("/accountManage/AccountFlowPatch", { id: flow.flowId })}>
                    {flow.flowNo}
                  </Link>
                ) : (
                  NONE
                )}
              </td>
              <td>{flow.payerName || NONE}</td>
              <td className="cut" title={flow.bills}>
                {flow.bills}
              </td>
              <td className="num">
                <Money fen={flow.amount} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="sum">
            <td colSpan={6}>合计（已收和核销）</td>
            <td className="num">
              <Money fen={money.received + money.writtenOff} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
