import { useQuery } from "@tanstack/react-query";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { contractBills, type ContractDetail } from "./detail.contract.ts";
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
