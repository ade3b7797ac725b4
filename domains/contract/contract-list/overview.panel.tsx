import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { z } from "zod";
import { ask } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import {
  type ContractDetail,
  FLOW_WAYS,
  contractBills,
  contractFlows,
  type contractMoney,
} from "../contract/detail.contract.ts";
import { TermBar } from "./term-bar.panel.tsx";

/** The term at a glance and the money in three checks. */
export function Overview({
  contract,
  onBill,
}: {
  contract: ContractDetail;
  onBill: (billId: number) => void;
}) {
  const { data, error, refetch } = useQuery(ask(contractBills, { params: { id: contract.id } }));
  const { money } = contract;
  return (
    <>
      <h3>租期</h3>
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <TermBar contract={contract} bills={data} onBill={onBill} />
      ) : (
        <RowsSkeleton rows={2} />
      )}
      <h3>收支核对</h3>
      <MoneyStrip
        items={[
          {
            title: "已出账",
            fen: money.billed,
            help: "已出账 = 已收 + 已出账未收 + 核销",
          },
          { title: "已收", fen: money.received },
          { title: "已出账未收", fen: money.owed },
          { title: "减免调整", fen: money.credited },
          { title: "未出账", fen: money.planned, help: "应收日到了才出账，之前是可以调整的计划" },
        ]}
      />
      <div className="strip-gap" />
      <MoneyStrip
        items={[
          { title: "已开票", fen: money.invoiced, help: "不超过应收" },
          { title: "应收押金", fen: money.depositBilled },
          { title: "押金在管", fen: money.depositHeld },
          { title: "核销", fen: money.writtenOff },
          { title: "欠费", fen: money.overdue, key: true },
        ]}
      />
      {contract.opening && <Opening opening={contract.opening} oldNo={contract.oldNo} />}
      {contract.remark && (
        <>
          <h3>备注</h3>
          <p>{contract.remark}</p>
        </>
      )}
    </>
  );
}

/** What an imported contract had when the business was taken over. */
const Opening = ({ opening, oldNo }: { opening: NonNullable<ContractDetail["opening"]>; oldNo: string }) => (
  <>
    <h3>期初</h3>
    <MoneyStrip
      items={[
        { title: "已付至", show: opening.paidTo, help: "此日及以前的计费期不在本系统出账" },
        { title: "在管押金", fen: opening.deposit },
        { title: "欠费", fen: opening.arrears },
        { title: "预存款", fen: opening.prepaid },
        { title: "接管日", show: opening.takenOn },
      ]}
    />
    {oldNo && <p className="dim">原合同号 {oldNo}</p>}
  </>
);

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
