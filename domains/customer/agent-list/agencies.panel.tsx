import { useState } from "react";
import { Link } from "react-router";
import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { EarnedBy } from "./earned.panel.tsx";
import { RecordLog, SecretText } from "../record/secret.panel.tsx";
import {
  type AgencyRow,
  deleteAgency,
  disableAgency,
  enableAgency,
  exportAgencies,
  getAgency,
  listAgencies,
  revealAgency,
} from "../agent/agency.contract.ts";
import { AgencyForm } from "../agent/agency.form.tsx";
import { ENABLED, PAGE } from "../agent/agent.rules.ts";

const pathOfFile = (id: number) => getFile.path.replace(":id", String(id));

const Secret = (p: { id: number; field: "phone" | "bankNo"; title: string; masked: string }) => (
  <SecretText
    title={p.title}
    masked={p.masked}
    need="#11501"
    reveal={(reason) => send(revealAgency, { params: { id: p.id }, body: { field: p.field, reason } })}
  />
);

/** One agency: terms, account, papers and what it has earned. */
export const AgencyDrawer = ({ id, actions }: { id: number; actions: (agency: AgencyRow) => Actions }) => (
  <Detail
    call={getAgency}
    sent={{ params: { id } }}
    title={(a) => a.name}
    tags={(a) => <WordTag words={ENABLED} code={a.state} />}
    strip={(a) => [
      { title: "待结佣金", fen: a.owed, key: true },
      { title: "已付佣金", fen: a.paid },
    ]}
    facts={[
      "contact",
      { title: "电话", show: (a) => <Secret id={a.id} field="phone" title="电话" masked={a.phone} /> },
      "creditCode",
      "villageNames",
      { title: "合作期", show: (a) => `${a.fromDay} ~ ${a.toDay ?? "长期"}` },
      {
        title: "佣金规则",
        show: (a) => <Link to={pathTo(PAGE, { tab: "rule", id: a.ruleId })}>{a.ruleName}</Link>,
      },
      {
        title: "经纪人",
        show: (a) => <Link to={pathTo(PAGE, { tab: "agent", agencyId: a.id })}>{a.agents} 人</Link>,
      },
      "bankHolder",
      { title: "开户银行", show: (a) => [a.bankName, a.bankBranch].filter(Boolean).join(" ") || "—" },
      {
        title: "银行账号",
        show: (a) => <Secret id={a.id} field="bankNo" title="银行账号" masked={a.bankNo} />,
      },
      {
        title: "附件",
        show: (a) =>
          a.files.length
            ? a.files.map((file) => (
                <button
                  key={file.id}
                  type="button"
                  className="linkish"
                  onClick={() => void openFile(pathOfFile(file.id))}
                >
                  {file.name}　
                </button>
              ))
            : "—",
      },
    ]}
    actions={actions}
    tabs={[
      { key: "earned", title: "佣金", view: (a) => <EarnedBy agencyId={a.id} /> },
      { key: "log", title: "日志", view: (a) => <RecordLog kind="agency" id={a.id} /> },
    ]}
  />
);

/** 中介机构: who the agents work for, and what they are owed together. */
export function AgencyList() {
  const [, set] = useAddress();
  const [open, setOpen] = useState<{ agency?: Reply<typeof getAgency> }>();
  const actions = (a: AgencyRow) => {
    return [
      {
        label: "编辑",
        need: "115.edit" as const,
        run: async () => setOpen({ agency: await send(getAgency, { params: { id: a.id } }) }),
      },
      switchAction({ enable: enableAgency, disable: disableAgency }, a, {
        ask: {
          title: "停用机构",
          body: `停用后新客源不能再选 ${a.name} 的经纪人，在跟进的客源和佣金不受影响。`,
          ok: "停用",
        },
      }),
      deleteAction(deleteAgency, a, {
        title: "删除机构",
        body: `确定删除 ${a.name} 吗？`,
        ok: "删除",
        why: a.agents ? `该机构有 ${a.agents} 位经纪人，不能删除，可改为停用` : undefined,
        gone: () => set({ id: undefined }),
      }),
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
      {open &&
        (open.agency ? (
          <Current call={getAgency} read={open.agency}>
            {(agency) => <AgencyForm agency={agency} onClose={() => setOpen(undefined)} />}
          </Current>
        ) : (
          <AgencyForm onClose={() => setOpen(undefined)} />
        ))}
    </>
  );
}
