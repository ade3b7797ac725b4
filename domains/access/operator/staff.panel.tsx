import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { DemandPanel } from "../second-factor/demand.panel.tsx";
import { usePersonActs } from "./acts.panel.tsx";
import { OperatorDrawer } from "./operator.panel.tsx";
import { listOperators, operatorExport, addOperator } from "./operator.contract.ts";
import { OperatorForm } from "./operator.form.tsx";
import { TYPE_WORDS } from "./operator.rules.ts";

/** 员工: who works here, in which departments and roles, and over which villages. */
export function Staff() {
  const [adding, setAdding] = useState(false);
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
        toolbar={[
          { label: "新增员工", icon: "plus", main: true, does: addOperator, run: () => setAdding(true) },
          !!superType && { label: "登录安全", need: "46.edit", run: () => setDemanding(true) },
        ]}
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
      {adding && <OperatorForm onClose={() => setAdding(false)} />}
      {demanding && <DemandPanel onClose={() => setDemanding(false)} />}
      {acts.layer}
    </>
  );
}
