import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import {
  deleteAgency,
  disableAgency,
  enableAgency,
  exportAgencies,
  getAgency,
  listAgencies,
  type AgencyRow,
} from "./agency.contract.ts";
import { AgencyForm } from "./agency.form.tsx";
import { AgencyDrawer } from "./agency.panel.tsx";
import { PAGE } from "./agent.rules.ts";

/** 中介机构: who the agents work for, and what they are owed together. */
export function AgencyList() {
  const act = useAct();
  const [, set] = useAddress();
  const [open, setOpen] = useState<{ agency?: Reply<typeof getAgency> }>();
  const actions = (a: AgencyRow) => {
    const sent = { params: { id: a.id }, body: { version: a.version } };
    return [
      {
        label: "编辑",
        need: "115.edit" as const,
        run: async () => setOpen({ agency: await send(getAgency, { params: { id: a.id } }) }),
      },
      a.state === "enabled"
        ? {
            label: "停用",
            does: disableAgency,
            run: () =>
              act(disableAgency, sent, {
                done: "已停用",
                ask: {
                  title: "停用机构",
                  body: `停用后新客源不能再选 ${a.name} 的经纪人，在跟进的客源和佣金不受影响。`,
                  ok: "停用",
                },
              }),
          }
        : {
            label: "启用",
            does: enableAgency,
            run: () => act(enableAgency, sent, { done: "已启用" }),
          },
      {
        label: "删除",
        does: deleteAgency,
        danger: true,
        why: a.agents ? `该机构有 ${a.agents} 位经纪人，不能删除，可改为停用` : undefined,
        run: async () => {
          const done = await act(
            deleteAgency,
            { params: { id: a.id }, query: { version: a.version } },
            { done: "已删除", ask: { title: "删除机构", body: `确定删除 ${a.name} 吗？`, ok: "删除" } },
          );
          if (done !== undefined) set({ id: undefined });
        },
      },
    ];
  };
  return (
    <>
      <ListPage
        call={listAgencies}
        unit="家"
        filters={["villageIds", "state", "keyword"]}
        columns={[
          "name",
          "contact",
          "phone",
          "villageNames",
          { key: "ruleName", to: (a) => pathTo(PAGE, { tab: "rule", id: a.ruleId }) },
          "fromDay",
          { key: "toDay", show: (a) => a.toDay ?? "长期" },
          {
            key: "agents",
            to: (a) => (a.agents ? pathTo(PAGE, { tab: "agent", agencyId: a.id }) : undefined),
          },
          {
            key: "owed",
            strong: true,
            to: (a) => (a.owed ? pathTo(PAGE, { tab: "settle", agencyId: a.id, state: "owed" }) : undefined),
          },
          {
            key: "paid",
            to: (a) => (a.paid ? pathTo(PAGE, { tab: "settle", agencyId: a.id, state: "paid" }) : undefined),
          },
          "state",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["contact", "phone"],
            ["agents", "owed"],
          ],
        }}
        toolbar={[{ label: "新增机构", icon: "plus", main: true, need: "115.add", run: () => setOpen({}) }]}
        rowActions={actions}
        drawer={(id) => <AgencyDrawer id={id} actions={actions} />}
        exportCall={exportAgencies}
        emptyText="登记合作的中介机构，名下经纪人默认按机构的规则提佣"
      />
      {open && <AgencyForm agency={open.agency} onClose={() => setOpen(undefined)} />}
    </>
  );
}
