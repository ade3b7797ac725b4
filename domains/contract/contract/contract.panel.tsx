import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { lookOf } from "../../../platform/console/parts/kinds.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Tone } from "../../../platform/kernel/field.ts";
import { PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import { StartAct, useContractActs } from "./acts.panel.tsx";
import { ContractBills } from "./bills.panel.tsx";
import { FLAGS } from "./contract.contract.ts";
import { KINDS, PHASES } from "./contract.rules.ts";
import { type ContractDetail, contractLog, getContract } from "./detail.contract.ts";
import { ContractFlows } from "./flows.panel.tsx";
import { Overview } from "./overview.panel.tsx";
import { ContractPapers } from "./papers.panel.tsx";
import { ContractPeople } from "./people.panel.tsx";
import { ContractTerms } from "./terms.panel.tsx";

const TONES: Record<string, Tone> = {
  签署: "green",
  提交签约: "gold",
  作废: "grey",
  签署过期: "orange",
  到期未退: "red",
  办理入住: "cyan",
};

/** What happened to the contract, newest first. */
export function ContractLog({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(contractLog, { params: { id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <Timeline
      moments={data.map((m) => ({
        key: m.id,
        at: m.at,
        who: m.operatorName || "系统",
        what: m.action,
        note: m.summary,
        ...(TONES[m.action] && { tone: TONES[m.action]! }),
      }))}
    />
  );
}

/** A contract on its own: every question about it is answered here. */
export function ContractDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useContractActs();
  const [, set] = useAddress();
  const [bill, setBill] = useState<number>();
  const showBill = (billId: number) => {
    setBill(billId);
    set({ part: "bills" });
  };
  return (
    <>
      <Detail
        call={getContract}
        sent={{ params: { id } }}
        width={1080}
        title={(c) => c.contractNo}
        tags={(c) => (
          <>
            <WordTag words={PHASES} code={c.phase} />
            {c.flags.map((flag) => (
              <WordTag key={flag} words={FLAGS} code={flag} dot={false} />
            ))}
          </>
        )}
        strip={(c) => [
          { title: "月租金", fen: c.currentRent },
          { title: "押金 在管 / 约定", show: <Of part={c.depositHeld} whole={c.depositAmount} /> },
          {
            title: "已收 / 应收",
            show: <Of part={c.money.received} whole={c.money.total} />,
            help: "应收为全部账单，含押金和未出账的计划账单",
          },
          { title: "欠费", fen: c.overdue, key: true },
          {
            title: "下次应收",
            show: c.nextDueOn ? `${c.nextDueOn.slice(5)}　${yuan(c.nextDueFen ?? 0)}` : "—",
          },
        ]}
        cols={3}
        facts={[
          {
            title: "承租方",
            show: (c) => {
              const page = PARTY_PAGE[c.kind];
              const to = page && c.partyId ? reach(page, { id: c.partyId }) : undefined;
              return to ? <Link to={to}>{c.partyName}</Link> : c.partyName || "—";
            },
          },
          { title: "手机号", show: (c) => c.partyPhone || "—" },
          "villageName",
          {
            title: "房间",
            show: (c) =>
              c.rooms.length > 3 ? (
                `${c.rooms.length} 间，见房间与入住人`
              ) : (
                <Rooms names={c.roomNames} beside={c.villageName} />
              ),
          },
          { title: "租期", show: (c) => (c.startDate ? `${c.startDate} ~ ${c.endDate ?? "—"}` : "—") },
          {
            title: "剩余",
            show: (c) =>
              c.daysLeft === null ? "—" : c.daysLeft < 0 ? `已过 ${-c.daysLeft} 天` : `${c.daysLeft} 天`,
          },
          "payText",
          "signedOn",
          "signerName",
          ...(["signDeadline", "handoverOn"] as const),
          "managerName",
        ]}
        actions={(c) => actsOf(c)}
        tabs={[
          { key: "overview", title: "概览", view: (c) => <Overview contract={c} onBill={showBill} /> },
          {
            key: "bills",
            title: "账单",
            count: (c) => c.counts.bills,
            view: (c) => <ContractBills id={c.id} opened={bill} />,
          },
          { key: "flows", title: "收支", view: (c) => <ContractFlows id={c.id} money={c.money} /> },
          { key: "terms", title: "条款", view: (c) => <ContractTerms contract={c} /> },
          {
            key: "people",
            title: "房间与入住人",
            count: (c) => (c.kind === "renter" ? c.counts.occupants : c.rooms.length),
            view: (c) => <ContractPeople contract={c} />,
          },
          {
            key: "papers",
            title: "文件",
            count: (c) => c.counts.documents,
            view: (c) => <ContractPapers contract={c} />,
          },
          { key: "log", title: "日志", view: (c) => <ContractLog id={c.id} /> },
        ]}
        slot="contract.tabs"
      >
        {(c) => (
          <>
            <StartAct actions={actsOf(c)} />
            <Chain contract={c} />
            {c.voidReason && <p className="said">作废原因：{c.voidReason}</p>}
            {c.blackListReason && (
              <p className="said">
                <StatusTag tone="red">黑名单</StatusTag> 签约说明：{c.blackListReason}
              </p>
            )}
            {c.creditReason && (
              <p className="said">
                <StatusTag tone="orange">超授信</StatusTag> 签约说明：{c.creditReason}
              </p>
            )}
          </>
        )}
      </Detail>
      {layer}
    </>
  );
}

/** A part of a whole, the whole small behind it. */
const Of = ({ part, whole }: { part: number; whole: number | null }) => (
  <>
    {yuan(part)}
    <small className="of"> / {whole === null ? "—" : yuan(whole)}</small>
  </>
);

/** Earlier and later contracts of the same tenancy, as linked boxes. */
function Chain({ contract }: { contract: ContractDetail }) {
  if (!contract.chain.length) return null;
  return (
    <ol className="chain" aria-label="前后合同">
      {contract.chain.map((c) => (
        <li key={c.id} className={c.id === contract.id ? "on" : ""}>
          <Link to={pathTo(KINDS[contract.kind].path, { id: c.id })}>{c.contractNo}</Link>
          <span className="dim">
            {c.startDate} ~ {c.endDate}
          </span>
          {lookOf({ title: "", kind: "status", words: PHASES }, c.phase)}
        </li>
      ))}
    </ol>
  );
}
