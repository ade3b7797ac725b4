import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { useQuery } from "@tanstack/react-query";
import { Tooltip } from "antd";
import { Link } from "react-router";
import type { z } from "zod";
import { ask } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Tone } from "../../../platform/kernel/field.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { flowReceipt } from "../../finance/flow/flow.contract.ts";
import { ACT_STATES } from "../act/act.rules.ts";
import { tenancyLine } from "../chain/chain.contract.ts";
import { actPath } from "../chain/chain.panel.tsx";
import { ACT_WORDS } from "../chain/chain.rules.ts";
import { rentsOf, isInForce } from "../contract/contract.rules.ts";
import {
  type ContractDetail,
  contractBills,
  contractFlows,
  type contractMoney,
  contractOccupants,
  contractRefunds,
  getContract,
} from "../contract/detail.contract.ts";
import { Household, type Leaves } from "../occupant/housemate.form.tsx";
import { companyRooms } from "../occupant/occupant.contract.ts";
import { TermLine } from "../preview/term-line.panel.tsx";

const CompanyRooms = lazily(() => import("../occupant/company.panel.tsx"));

type OverviewProps = { contract: ContractDetail; onBill: (billId: number) => void };

/** The term at a glance and the money in three checks. */
export function Overview({ contract, onBill }: OverviewProps) {
  const { money } = contract;
  return (
    <>
      <h3>租期</h3>
      <Loaded call={contractBills} sent={{ params: { id: contract.id } }} lines={2}>
        {(bills) => <TermBar contract={contract} bills={bills} onBill={onBill} />}
      </Loaded>
      <h3>收支核对</h3>
      <MoneyStrip
        items={[
          { title: "已出账", fen: money.billed, help: "已出账 = 已收 + 已出账未收 + 核销" },
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

type FlowsProps = { id: number; money: z.output<typeof contractMoney> };

/** What came in for the contract's bills, and what goes back to the tenant. */
export const ContractFlows = (props: FlowsProps) => (
  <>
    <Taken {...props} />
    <Loaded call={contractRefunds} sent={{ params: { id: props.id } }} lines={1}>
      {(data) => data.length > 0 && <Refunds rows={data} />}
    </Loaded>
  </>
);

const Refunds = ({ rows }: { rows: Reply<typeof contractRefunds> }) => (
  <>
    <h3>退款</h3>
    <RowTable
      schema={contractRefunds.reply}
      rows={rows}
      columns={[
        { key: "refundNo", to: (r) => reach("/accountManage/RefundManage", { id: r.id }) },
        "source",
        "createdAt",
        "amount",
        "paid",
        "paidOn",
        "state",
        "reason",
      ]}
      sums={{
        amount: rows.reduce((sum, r) => sum + r.amount, 0),
        paid: rows.reduce((sum, r) => sum + r.paid, 0),
      }}
    />
  </>
);

type Flow = Reply<typeof contractFlows>[number];

/** Its sum is 已收 and 核销 of the head. */
const Taken = ({ id, money }: FlowsProps) => (
  <Loaded call={contractFlows} sent={{ params: { id } }} empty="还没有收款">
    {(data) => (
      <RowTable
        schema={contractFlows.reply}
        rows={data}
        columns={[
          "date",
          "way",
          { key: "channel", show: (f) => (f.channel ? CHANNELS[f.channel][0] : NONE) },
          {
            key: "flowNo",
            to: (f) =>
              f.flowId && f.flowNo ? reach("/accountManage/AccountFlowPatch", { id: f.flowId }) : undefined,
          },
          "payerName",
          "bills",
          { key: "amount", title: "金额" },
          ...(may(flowReceipt.needs)
            ? [
                {
                  own: "receipt",
                  title: "收据",
                  show: (f: Flow) =>
                    f.flowId && f.amount > 0 ? (
                      <button
                        type="button"
                        className="linkish"
                        onClick={() => openFile(`/billing/api/v3/flow/${f.flowId}/receipt`)}
                      >
                        打印
                      </button>
                    ) : (
                      NONE
                    ),
                },
              ]
            : []),
        ]}
        sums={{ amount: money.received + money.writtenOff }}
        sumNote="合计（已收和核销）"
      />
    )}
  </Loaded>
);

type Bill = Reply<typeof contractBills>[number];

const stateOf = (bill: Bill): readonly [text: string, tone: Tone] => {
  if (bill.status === "void") return ["作废", "grey"];
  if (bill.status === "paid") return ["已付", "green"];
  if (bill.overdueDays > 0) return [`逾期 ${bill.overdueDays} 天`, "red"];
  if (bill.status === "partial") return ["部分支付", "blue"];
  return bill.issued ? ["待支付", "gold"] : ["未出账", "cyan"];
};

/** What was done to the contract, where it took effect on its term. */
function ActMarks({ contract, at }: { contract: ContractDetail; at: (day: Day) => number }) {
  const { data } = useQuery(ask(tenancyLine, { query: { contractId: contract.id } }));
  const { startDate: start, endDate: end } = contract;
  return data
    ?.filter((row) => row.contract.id === contract.id && row.on >= start! && row.on <= end!)
    .map((row) => {
      if (!row.act) return null;
      const { kind, actNo, state } = row.act;
      const text = `${ACT_WORDS[kind][0]} ${actNo} ${row.on} ${ACT_STATES[state][0]}`;
      return (
        <Tooltip key={row.key} title={text}>
          <Link
            className={`term__act s-${ACT_STATES[state][1]}`}
            style={{ left: `${at(row.on)}%` }}
            to={actPath(row.act, row.contract) ?? ""}
            aria-label={text}
          />
        </Tooltip>
      );
    });
}

/** The whole term as a bar: periods in the colour of their bills, free days hatched, price steps, acts and today as marks. */
function TermBar({ contract, bills, onBill }: OverviewProps & { bills: readonly Bill[] }) {
  const { startDate: start, endDate: end, terms } = contract;
  if (!start || !end) return <p className="dim">起止日期未定</p>;
  // deposits and one-off bills cover no period of their own
  const periods = bills.filter((b) => /^第\d+期/.test(b.title) && b.periodStart && b.periodEnd);
  const today = contract.facts.today;
  const used = new Map(periods.map((b) => [stateOf(b)[0].replace(/ \d+ 天/, ""), stateOf(b)[1]]));
  return (
    <TermLine
      start={start}
      end={end}
      free={terms.rentFree}
      rents={rentsOf(contract)}
      stretches={periods.map((bill) => {
        const [text, tone] = stateOf(bill);
        return {
          ...{ key: bill.id, from: bill.periodStart!, to: bill.periodEnd!, tone },
          label: `${bill.title}，${text}`,
          title: `${bill.title} ${bill.periodStart} ~ ${bill.periodEnd}，${yuan(bill.amount)}，应收 ${bill.dueDate}，已收 ${yuan(bill.settled)}，${text}`,
          run: () => onBill(bill.id),
        };
      })}
      marks={(at) => (
        <>
          <ActMarks contract={contract} at={at} />
          {today >= start && today <= end && (
            <i className="term__now" style={{ left: `${at(today)}%` }} title={`今天 ${today}`} />
          )}
        </>
      )}
      legend={
        <>
          {[...used].map(([text, tone]) => (
            <span key={text} className={`row gap-3 s-${tone}`}>
              <i className="dot" />
              {text}
            </span>
          ))}
          {!periods.length && <span className="dim">签署后按计费期显示账单</span>}
        </>
      }
    />
  );
}

const plain = (text: string) => (
  <StatusTag tone="grey" dot={false}>
    {text}
  </StatusTag>
);

/** Who lives in the rooms from when to when, but for those who are shown beside. */
const People = ({
  contract,
  title,
  but,
  leave,
}: {
  contract: ContractDetail;
  title: string;
  but?: ReadonlySet<number>;
  /** Ends the stay of somebody who lives there; left out where nobody may. */
  leave?: Leaves;
}) => (
  <Loaded call={contractOccupants} sent={{ params: { id: contract.id } }} lines={3}>
    {(data) => {
      const rows = data.filter((o) => o.signer || !but?.has(o.id));
      if (!rows.length && but) return null;
      return (
        <>
          <h3>{title}</h3>
          {rows.length ? (
            <RowTable
              schema={contractOccupants.reply}
              rows={rows}
              columns={[
                "name",
                "phone",
                "certNo",
                { key: "relation", show: (o) => (o.signer ? plain("签约人") : o.relation || NONE) },
                { key: "roomName", title: "房间", show: (o) => o.roomName || NONE },
                { own: "span", title: "起止", show: (o) => `${o.fromDate} ~ ${o.toDate ?? "—"}` },
                { key: "lockAccess", show: (o) => (o.lockAccess ? "有" : <span className="dim">无</span>) },
                ...(leave
                  ? [
                      {
                        own: "leave",
                        title: "操作",
                        show: (o: Reply<typeof contractOccupants>[number]) =>
                          o.signer || (o.toDate !== null && o.toDate < contract.facts.today) ? (
                            NONE
                          ) : (
                            <button type="button" className="linkish" onClick={() => leave(o)}>
                              搬离
                            </button>
                          ),
                      },
                    ]
                  : []),
              ]}
            />
          ) : (
            <p className="dim">还没有登记入住人</p>
          )}
        </>
      );
    }}
  </Loaded>
);

/** The rooms of a company that is there, with whoever lives in them, to be acted on; whoever has left or has no room below. */
function CompanyPeople({ contract, companyId }: { contract: ContractDetail; companyId: number }) {
  const { data } = useQuery(ask(companyRooms, { query: { companyId } }));
  const there = data?.flatMap((room) => room.people.map((person) => person.id));
  return (
    <>
      <h3>房间与入住人</h3>
      <Arriving fallback={<RowsSkeleton rows={4} />}>
        <CompanyRooms id={companyId} contractId={contract.id} />
      </Arriving>
      {there && <People contract={contract} title="已搬离或未分房间" but={new Set(there)} />}
    </>
  );
}

/** The rooms with what is paid for each, and who lives in them. */
export const ContractPeople = ({ contract: c }: { contract: ContractDetail }) => (
  <>
    <RowTable
      schema={getContract.reply.shape.rooms}
      rows={c.rooms}
      columns={[
        {
          key: "name",
          show: (r) => (
            <>
              {r.name} {r.role === "attached" && plain("附属")}
            </>
          ),
        },
        { own: "area", title: "面积 ㎡", right: true, show: (r) => r.area ?? NONE },
        "listPrice",
        "monthlyRent",
        {
          own: "span",
          title: "起止",
          show: (r) => `${r.joinDate} ~ ${r.leaveDate ?? c.leaveDate ?? c.endDate ?? "—"}`,
        },
        // how many may live there now stands beside who does
        ...(isHeld(c)
          ? []
          : [
              {
                own: "capacity",
                title: "可住",
                right: true,
                show: (r: ContractDetail["rooms"][number]) => (r.role === "main" ? `${r.capacity} 人` : NONE),
              },
            ]),
      ]}
    />
    {isHeld(c) ? (
      <CompanyPeople contract={c} companyId={c.partyId!} />
    ) : (
      c.kind !== "merchant" && (
        <Household contract={c}>{(leave) => <People contract={c} title="入住人" leave={leave} />}</Household>
      )
    )}
  </>
);

/** A company has its rooms: people come and go in them. */
const isHeld = (c: ContractDetail) => c.kind === "company" && c.partyId !== null && isInForce(c.state);
