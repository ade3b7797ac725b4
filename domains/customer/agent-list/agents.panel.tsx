import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { VillageImport } from "../../../platform/console/files/village-import.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { EarnedBy } from "./earned.panel.tsx";
import { RecordLog, SecretText } from "../record/secret.panel.tsx";
import {
  type AGENT_SECRETS,
  type AgentRow,
  addAgent,
  agentImport,
  deleteAgent,
  disableAgent,
  enableAgent,
  exportAgents,
  getAgent,
  listAgents,
  rankAgents,
  revealAgent,
} from "../agent/agent.contract.ts";
import { AgentForm } from "../agent/agent.form.tsx";
import { ENABLED, PAGE } from "../agent/agent.rules.ts";

type Props = { id: number; actions: (agent: AgentRow) => Actions };

const Secret = ({
  id,
  field,
  title,
  masked,
}: {
  id: number;
  field: (typeof AGENT_SECRETS)[number];
  title: string;
  masked: string;
}) => (
  <SecretText
    title={title}
    masked={masked}
    need="#11501"
    reveal={(reason) => send(revealAgent, { params: { id }, body: { field, reason } })}
  />
);

/** One agent: who he is, by which rule he is paid, and what he has earned. */
export const AgentDrawer = ({ id, actions }: Props) => (
  <Detail
    call={getAgent}
    sent={{ params: { id } }}
    title={(a) => a.name}
    tags={(a) => <WordTag words={ENABLED} code={a.state} />}
    strip={(a) => [
      { title: "待结佣金", fen: a.owed },
      { title: "已付佣金", fen: a.paid },
    ]}
    facts={[
      { title: "电话", show: (a) => <Secret id={a.id} field="phone" title="电话" masked={a.phone} /> },
      {
        title: "机构",
        show: (a) =>
          a.agencyId ? (
            <Link to={pathTo(PAGE, { tab: "agency", id: a.agencyId })}>{a.agencyName}</Link>
          ) : (
            "独立经纪人"
          ),
      },
      {
        title: "佣金规则",
        show: (a) => (
          <>
            <Link to={pathTo(PAGE, { tab: "rule", id: a.ruleId })}>{a.ruleName}</Link>
            {a.ownRuleId === null && <span className="dim">　随机构</span>}
          </>
        ),
      },
      {
        title: "身份证号",
        show: (a) => <Secret id={a.id} field="certNo" title="身份证号" masked={a.certNo} />,
      },
      "leads",
      "viewings",
      "deals",
      "rate",
      "bankHolder",
      { title: "开户银行", show: (a) => [a.bankName, a.bankBranch].filter(Boolean).join(" ") || "—" },
      {
        title: "银行账号",
        show: (a) => <Secret id={a.id} field="bankNo" title="银行账号" masked={a.bankNo} />,
      },
      "creatorName",
      "createdAt",
      { key: "villageNames", wide: true },
    ]}
    actions={actions}
    tabs={[
      { key: "earned", title: "佣金", view: (a) => <EarnedBy agentId={a.id} /> },
      { key: "log", title: "日志", view: (a) => <RecordLog kind="agent" id={a.id} /> },
    ]}
  />
);

/** The ten who brought most contracts in the period. */
export function Ranking({ query, onPick }: { query: Record<string, unknown>; onPick: (id: number) => void }) {
  const { villageIds, agencyId, state, from, to, keyword } = query as Record<string, string>;
  const { data, error, refetch } = useQuery(
    ask(rankAgents, { query: { villageIds, agencyId, state, from, to, keyword } as never }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  if (!data.length) return <Empty text="所选时间没有经纪人介绍的客源" />;
  return (
    <Chart
      kind="bar"
      title="经纪人成交排名"
      height={260}
      labels={data.map((a) => a.name)}
      series={[
        { name: "客源", values: data.map((a) => a.leads), tone: "grey" },
        { name: "成交", values: data.map((a) => a.deals), tone: "green" },
      ]}
      onPick={(_, index) => data[index] && onPick(data[index].id)}
    />
  );
}

const LEADS = "/configuration/BookingManagement";

/** The leads of an agent that a figure counts, for whoever may open them. */
const leadsTo = (agentId: number, address: URLSearchParams, more: object = {}) =>
  reach(LEADS, {
    tab: may("#1502") ? "all" : "mine",
    agentId,
    createdFrom: address.get("from") ?? undefined,
    createdTo: address.get("to") ?? undefined,
    ...more,
  });

/** 经纪人: whom they brought, what became of it, and what they are owed. */
export function AgentList() {
  const [address, set] = useAddress();
  const [open, setOpen] = useState<Reply<typeof getAgent>>();
  const close = () => setOpen(undefined);
  const actions = (a: AgentRow) => {
    return [
      {
        label: "编辑",
        need: "115.edit" as const,
        run: async () => setOpen(await send(getAgent, { params: { id: a.id } })),
      },
      switchAction({ enable: enableAgent, disable: disableAgent }, a, {
        ask: {
          title: "停用经纪人",
          body: `停用后新客源不能再选 ${a.name}，在跟进的客源和佣金不受影响。`,
          ok: "停用",
        },
      }),
      deleteAction(deleteAgent, a, {
        title: "删除经纪人",
        body: `确定删除 ${a.name} 吗？`,
        ok: "删除",
        gone: () => set({ id: undefined }),
      }),
    ];
  };
  return (
    <>
      <ListPage
        call={listAgents}
        unit="位"
        filters={["villageIds", "agencyId", "state", "keyword", "from"]}
        columns={[
          "name",
          "state",
          "phone",
          {
            key: "agencyName",
            show: (a) => a.agencyName || "独立经纪人",
            to: (a) => (a.agencyId ? pathTo(PAGE, { tab: "agency", id: a.agencyId }) : undefined),
          },
          { key: "ruleName", to: (a) => pathTo(PAGE, { tab: "rule", id: a.ruleId }) },
          { key: "leads", to: (a) => (a.leads ? leadsTo(a.id, address) : undefined) },
          "viewings",
          { key: "deals", to: (a) => (a.deals ? leadsTo(a.id, address, { reached: "signed" }) : undefined) },
          "rate",
          {
            key: "owed",
            strong: true,
            to: (a) => (a.owed ? pathTo(PAGE, { tab: "settle", agentId: a.id, state: "owed" }) : undefined),
          },
          {
            key: "paid",
            to: (a) => (a.paid ? pathTo(PAGE, { tab: "settle", agentId: a.id, state: "paid" }) : undefined),
          },
          { key: "villageNames", width: 180 },
        ]}
        sort={{ sort: "deals", order: "desc" }}
        card={{
          title: "name",
          right: "state",
          lines: [["agencyName", "phone"], ["leads", "deals"], ["owed"]],
        }}
        adds={{ label: "新增经纪人", does: addAgent, form: (close) => <AgentForm onClose={close} /> }}
        imports={{
          does: agentImport.check,
          form: (close) => (
            <VillageImport title="导入经纪人" village="门店" calls={agentImport} onClose={close} />
          ),
        }}
        rowActions={actions}
        drawer={(id) => <AgentDrawer id={id} actions={actions} />}
        exportCall={exportAgents}
        picture={(query) => <Ranking query={query} onPick={(id) => set({ id })} />}
        emptyText="登记经纪人后，录入客源和预订时可以选择，签约后自动产生佣金"
      />
      {open && (
        <Current call={getAgent} read={open}>
          {(agent) => <AgentForm agent={agent} onClose={close} />}
        </Current>
      )}
    </>
  );
}
