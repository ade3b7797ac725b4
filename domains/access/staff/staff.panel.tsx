import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import {
  addOperator,
  getOperator,
  listOperators,
  operatorExport,
  removeAssignment,
} from "../operator/operator.contract.ts";
import { STATE_WORDS, TYPE_WORDS } from "../operator/operator.rules.ts";
import { DemandPanel } from "../second-factor/demand.panel.tsx";
import { SessionTable } from "../session/sessions.panel.tsx";
import { usePersonActs } from "./acts.panel.tsx";
import { OperatorForm } from "./operator.form.tsx";

/** 员工: who works here, in which departments and roles, and over which villages. */
export function Staff() {
  const [demanding, setDemanding] = useState(false);
  const [, set] = useAddress();
  const superType = useOperator()?.superType;
  const platform = superType === "0";
  const acts = usePersonActs();
  return (
    <>
      <ListPage
        call={listOperators}
        unit="人"
        filters={["roleId", "villageIds", "state", "keyword"]}
        sort={{ sort: "realName", order: "asc" }}
        columns={[
          { key: "account", width: 120 },
          "realName",
          "phone",
          { key: "departments", width: 150 },
          {
            key: "villageCount",
            title: "门店范围",
            show: (o) =>
              o.allVillages ? (
                "全部"
              ) : (
                <button type="button" className="linkish" onClick={() => set({ id: o.id, part: "villages" })}>
                  {o.villageCount} 个
                </button>
              ),
          },
          { key: "superType", show: (o) => <WordTag words={TYPE_WORDS} code={o.superType} dot={false} /> },
          "state",
          "lastLoginAt",
          "sessions",
          "secondFactor",
          { key: "verified", hidden: true },
          { key: "enterpriseName", hidden: !platform },
        ]}
        card={{ title: "realName", right: "state", lines: [["account", "phone"], ["departments"]] }}
        adds={{ does: addOperator, form: (close) => <OperatorForm onClose={close} /> }}
        toolbar={[!!superType && { label: "登录安全", need: "46.edit", run: () => setDemanding(true) }]}
        rowActions={acts.of}
        batch={[
          {
            label: "调整门店",
            need: "46.edit",
            run: (rows) => acts.open({ kind: "villages", people: rows }),
          },
          { label: "调整角色", need: "46.edit", run: (rows) => acts.open({ kind: "roles", people: rows }) },
        ]}
        drawer={(id) => <OperatorDrawer id={id} acts={acts} />}
        exportCall={operatorExport}
        emptyText="员工用账号或手机登录，权限来自部门里的角色和门店范围"
      />
      {demanding && <DemandPanel onClose={() => setDemanding(false)} />}
      {acts.layer}
    </>
  );
}

type Known = Reply<typeof getOperator>;

/** One person: who they are, what they may do and where, who is signed in as them. */
export const OperatorDrawer = ({ id, acts }: { id: number; acts: ReturnType<typeof usePersonActs> }) => (
  <Detail
    call={getOperator}
    sent={{ params: { id } }}
    title={(o) => o.realName}
    width={760}
    tags={(o) => (
      <>
        <WordTag words={STATE_WORDS} code={o.state} />
        {o.superType && <WordTag words={TYPE_WORDS} code={o.superType} dot={false} />}
        {o.verified && (
          <StatusTag tone="green" dot={false}>
            已实名核验
          </StatusTag>
        )}
      </>
    )}
    cols={2}
    facts={[
      "account",
      "phone",
      { key: "email", show: (o) => o.email || "—" },
      "enterpriseName",
      "lastLoginAt",
      "createdAt",
      "mustChangePassword",
      "secondFactor",
      {
        title: "登录锁定",
        show: (o) =>
          o.locks.length
            ? o.locks
                .map((l) => `${l.ip === "*" ? "陌生地址" : l.ip}，至 ${timeInZone(l.until).slice(5, 16)}`)
                .join("；")
            : "未锁定",
      },
      { title: "门店范围", show: (o) => (o.allVillages || o.superType ? "全部" : `${o.villages.length} 个`) },
    ]}
    actions={(o) => acts.of(o)}
    tabs={[
      {
        key: "places",
        title: "部门和角色",
        count: (o) => o.assignments.length,
        view: (o) => <Places of={o} />,
      },
      {
        key: "villages",
        title: "门店",
        count: (o) => (o.allVillages || o.superType ? "全部" : o.villages.length),
        view: (o) => <Villages of={o} />,
      },
      { key: "sessions", title: "在线会话", view: (o) => <SessionTable operatorId={o.id} /> },
      { key: "log", title: "动态", view: (o) => <History kind="operator" id={o.id} /> },
    ]}
  />
);

function Places({ of }: { of: Known }) {
  const act = useAct();
  if (!of.assignments.length)
    return <Empty text={of.superType ? "管理员的权限不来自角色" : "还没有部门和角色，不能启用"} />;
  const last = of.assignments.length === 1 && !of.superType;
  return (
    <ul className="held">
      {of.assignments.map((a) => (
        <li key={`${a.departmentId} ${a.roleId}`}>
          <span>{a.departmentName}</span>
          <b>{a.roleName}</b>
          <span className="grow dim">{a.functions} 项功能</span>
          {may("46.edit") && !of.locked && (
            <button
              type="button"
              className="linkish"
              onClick={() =>
                void act(
                  removeAssignment,
                  { params: { id: of.id, roleId: a.roleId, depid: a.departmentId } },
                  {
                    done: "已移出",
                    ask: {
                      title: "移出部门角色",
                      body: last
                        ? `这是 ${of.realName} 的最后一个部门和角色，移出后账号停用。确定移出吗？`
                        : `确定将 ${of.realName} 移出“${a.departmentName} / ${a.roleName}”吗？`,
                    },
                  },
                )
              }
            >
              移出
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

const Villages = ({ of }: { of: Known }) =>
  of.superType || of.allVillages ? (
    <Empty text={of.superType === "0" ? "可见平台的全部门店" : "可见本企业的全部门店，新开的门店随之可见"} />
  ) : of.villages.length ? (
    <p className="held__villages">
      {of.villages.map((v) => (
        <StatusTag key={v.id} tone={v.mine ? "blue" : "grey"} dot={false}>
          {v.name}
        </StatusTag>
      ))}
    </p>
  ) : (
    <Empty text="还没有门店，登录后看不到任何门店数据" />
  );
