import { lazily } from "../../../platform/console/screens/load.tsx";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { shapeOf } from "../../../platform/console/list/list-schema.ts";
import { lookOf } from "../../../platform/console/parts/kinds.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { Waits } from "../../../platform/console/parts/waits.tsx";
import { type Patch, pathTo, useAddress, useGo, usePage } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Tone } from "../../../platform/kernel/field.ts";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { PAGE as AGENTS_PAGE } from "../../customer/agent/agent.rules.ts";
import { COMMISSION_STATES } from "../../customer/commission-rule/commission.rules.ts";
import { PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import { ContractActs, ToChange } from "../amendment/change.panel.tsx";
import { FLAGS, SOURCES, expiryChart } from "../contract/contract.contract.ts";
import { PHASES, isInForce, roomCountText, roomsLeft } from "../contract/contract.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { type ContractDetail, contractLog, getContract } from "../contract/detail.contract.ts";
import { ContractFlows, Overview, ContractPeople } from "./overview.panel.tsx";
import { ContractSheets } from "../inspection/sheets.panel.tsx";
import { useContractActs } from "./acts.panel.tsx";
import { StartAct } from "./start-act.panel.tsx";
import { SigningBar } from "../esign/signings.panel.tsx";
import { ContractBills, ContractPapers } from "./bills.panel.tsx";
import { ContractTerms } from "./terms.panel.tsx";

const Turnover = lazily(() =>
  import("../turnover/merchant.panel.tsx").then((m) => ({ default: m.Turnover })),
);

const TONES: Record<string, Tone> = {
  签署: "green",
  提交签约: "gold",
  提交审批: "blue",
  审批通过: "green",
  审批驳回: "red",
  发起签署: "gold",
  客户签署: "cyan",
  拒签: "red",
  签署未完成: "red",
  签署链接过期: "orange",
  作废: "grey",
  签署过期: "orange",
  到期未退: "red",
  办理入住: "cyan",
};

/** Who brought the tenant, and what the contract earned by it for who may see that. */
function Brought({ contract: { agentId, agentName, commission } }: { contract: ContractDetail }) {
  if (!agentId && !commission) return "—";
  const agent = agentId ? reach(AGENTS_PAGE, { id: agentId }) : undefined;
  const earned = commission && reach(AGENTS_PAGE, { tab: "settle", id: commission.id });
  const text = commission && `佣金 ${yuan(commission.left)} ${COMMISSION_STATES[commission.state][0]}`;
  return (
    <span className="row wrap gap-6">
      {agentId && (agent ? <Link to={agent}>{agentName}</Link> : agentName)}
      {earned ? <Link to={earned}>{text}</Link> : text}
    </span>
  );
}

/** What happened to the contract, newest first. */
export const ContractLog = ({ id }: { id: number }) => (
  <Loaded call={contractLog} sent={{ params: { id } }}>
    {(data) => (
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
    )}
  </Loaded>
);

/** A contract on its own: every question about it is answered here. An approval names an act on it instead. */
export function ContractDrawer({ id }: { id: number }) {
  const [address] = useAddress();
  return address.get("of") === "change" ? <ToChange id={id} /> : <OneContract id={id} />;
}

function OneContract({ id }: { id: number }) {
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
          { title: "月租金", fen: c.currentRent, run: () => set({ part: "terms" }) },
          {
            title: "押金 在管 / 约定",
            show: <Of part={c.depositHeld} whole={c.depositAmount} />,
            run: () => set({ part: "bills" }),
          },
          {
            title: "已收 / 应收",
            show: <Of part={c.money.received} whole={c.money.total} />,
            run: () => set({ part: "flows" }),
            help: "应收为全部账单，含押金和未出账的计划账单",
          },
          {
            title: "欠费",
            fen: c.overdue,
            key: true,
            run: c.overdue ? () => set({ part: "bills" }) : undefined,
          },
          {
            title: "下次应收",
            show: c.nextDueOn ? `${c.nextDueOn.slice(5)}　${yuan(c.nextDueFen ?? 0)}` : "—",
            run: c.nextDueOn ? () => set({ part: "bills" }) : undefined,
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
              roomsLeft(c.rooms).length > 3 ? (
                `${roomCountText(c.rooms)}，见房间与入住人`
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
          "channel",
          { title: "经纪人", show: (c) => <Brought contract={c} /> },
          {
            title: "开票抬头",
            show: (c) => c.invoiceTitle || (c.kind === "renter" ? "—" : "客户的默认抬头"),
          },
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
            count: (c) => (c.kind === "renter" ? c.counts.occupants : roomsLeft(c.rooms).length),
            view: (c) => <ContractPeople contract={c} />,
          },
          {
            key: "turnover",
            title: "营业额",
            need: "107.get",
            when: (c) => c.kind === "merchant",
            view: (c) => <Turnover of={{ contractId: c.id }} />,
          },
          {
            key: "sheets",
            title: "表计与验房",
            view: (c) => (
              <ContractSheets
                contractId={c.id}
                partyName={c.partyName}
                writes={!isInForce(c.state) ? [] : c.kind === "company" ? ["in", "out"] : ["in"]}
              />
            ),
          },
          {
            key: "papers",
            title: "文件",
            count: (c) => c.counts.documents,
            view: (c) => <ContractPapers contract={c} />,
          },
          { key: "changes", title: "变更", view: (c) => <ContractActs contract={c} /> },
          { key: "log", title: "日志", view: (c) => <ContractLog id={c.id} /> },
        ]}
        slot="contract.tabs"
      >
        {(c) => (
          <>
            <OwnPage of={c} />
            <StartAct actions={actsOf(c)} />
            {c.frozen && (
              <Waits
                page={WORKBENCH}
                decide={decideExamine}
                frozen={c.frozen}
                then={c.state === "approving" ? "退回草稿，占用的房间立即释放" : "合同可以再次修改"}
              />
            )}
            <Chain contract={c} />
            {c.state === "signing" && c.signMode === "electronic" && <SigningBar contractId={c.id} />}
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

/** Whoever knows only that it is a contract, such as the log, opens the tenants' page: the contract goes on to that of its kind. */
function OwnPage({ of: { id, kind } }: { of: Pick<ContractDetail, "id" | "kind"> }) {
  const { path, active } = usePage();
  const [address, set] = useAddress();
  const go = useGo();
  const part = address.get("part");
  const own = KINDS[kind].path;
  const away = active && path !== own && reach(own) !== undefined;
  useEffect(() => {
    if (!away) return;
    set({ id: undefined, part: undefined });
    go(own, { id, part });
  }, [away, go, id, own, part, set]);
  return null;
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
    <ol className="chain row wrap" aria-label="前后合同">
      {contract.chain.map((c, i) => (
        <li key={c.id} className={`row fs-13 ${c.id === contract.id ? "on" : ""}`}>
          {i > 0 && <span className="sub">{SOURCES[c.source][0]} →</span>}
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

const short = (month: string) => (month.endsWith("-01") ? month.slice(2) : month.slice(5));

type PictureProps = { query: Record<string, unknown>; filter: (patch: Patch) => void };

/** What ends in the next twelve months, and what was signed and left in the last, over the filter of the list. */
export function ExpiryPicture({ query, filter }: PictureProps) {
  const known = shapeOf(expiryChart.query);
  const sent = Object.fromEntries(Object.entries(query).filter(([key]) => key in known));
  const drawn = { height: 200, format: (n: number) => `${n} 份` };
  return (
    <Loaded call={expiryChart} sent={{ query: sent }} lines={6}>
      {({ ending, trend }) => (
        <div className="pic">
          <h3>未来 12 个月到期</h3>
          <Chart
            {...drawn}
            title="未来 12 个月到期"
            kind="bar"
            labels={ending.map((m) => short(m.month))}
            series={[{ name: "到期合同", values: ending.map((m) => m.count), tone: "orange" }]}
            onPick={(_, i) => {
              const { month } = ending[i]!;
              filter({ endFrom: firstOf(month), endTo: lastOf(month) });
            }}
          />
          <p className="dim pic__note">
            共 {ending.reduce((s, m) => s + m.count, 0)} 份，月租{" "}
            {yuan(ending.reduce((s, m) => s + m.rent, 0))}
            ；点击按到期日筛选
          </p>
          <h3>近 12 个月签约与退租</h3>
          <Chart
            {...drawn}
            title="近 12 个月签约与退租"
            kind="line"
            labels={trend.map((m) => short(m.month))}
            series={[
              { name: "签约", values: trend.map((m) => m.signed), tone: "blue" },
              { name: "退租", values: trend.map((m) => m.left), tone: "purple" },
            ]}
          />
        </div>
      )}
    </Loaded>
  );
}
