import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { hoursText } from "../../../platform/kernel/duration.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { WORKBENCH } from "../examine/engine.rules.ts";
import { ModuleDrawer, type Opening, moduleActions } from "./module.panel.tsx";
import { getModule, listModules, addModule } from "./module.contract.ts";
import { moduleTypes, type ModuleType } from "../examine/examine.contract.ts";
import { ModuleForm, VillagesForm } from "./module.form.tsx";
import "../examine/examine.css";

/** 审批配置: which kinds of acts need whose approval in which villages. */
export default function ModulesPage() {
  const [address, set] = useAddress();
  const [opening, setOpening] = useState<Opening>();
  const { data: types = [] } = useQuery(ask(moduleTypes, {}));
  const type = address.get("moduleType") ?? undefined;
  return (
    <div className="audit grid gap-8 full">
      <Types types={types} on={type} choose={(moduleType) => set({ moduleType, pageNo: undefined })} />
      <ListPage
        call={listModules}
        unit="份"
        filters={[
          "villageIds",
          {
            key: "moduleType",
            words: Object.fromEntries(types.map((t) => [t.type, [t.title, "grey"]])) as Words,
          },
          "enabled",
        ]}
        columns={[
          "name",
          "typeName",
          {
            key: "villageCount",
            show: (row) => (
              <button type="button" className="linkish" onClick={() => set({ id: row.id })}>
                {row.villageCount}
              </button>
            ),
          },
          "processCount",
          "enabled",
          {
            key: "open",
            show: (row) => {
              const to = reach(WORKBENCH, {
                tab: "examine",
                box: "all",
                types: row.moduleType,
                villageIds: row.villageIds.join(","),
                state: "approving",
              });
              return row.open && to ? <Link to={to}>{row.open}</Link> : row.open;
            },
          },
          { key: "meanHours", show: (row) => (row.meanHours === null ? "—" : hoursText(row.meanHours)) },
          "updatedBy",
          "updatedAt",
        ]}
        card={{
          title: "name",
          right: "enabled",
          lines: [
            ["typeName", (row) => `${row.villageCount} 个门店`],
            [(row) => `${row.processCount} 个流程`, (row) => `待审 ${row.open} 条`],
          ],
        }}
        adds={{ does: addModule, form: (close) => <ModuleForm moduleType={type} onClose={close} /> }}
        rowActions={(row) => moduleActions(row, setOpening)}
        drawer={(id) => <ModuleDrawer id={id} open={setOpening} />}
        emptyText="没有审批配置时，操作提交后直接生效；新增后按流程审批"
      />
      {opening && <Opened opening={opening} onClose={() => setOpening(undefined)} />}
    </div>
  );
}

/** The chosen form, once the whole module is there. */
function Opened({ opening, onClose }: { opening: Opening; onClose: () => void }) {
  const { data } = useQuery({ ...ask(getModule, { params: { id: opening.id } }), gcTime: 0 });
  if (!data) return null;
  if (opening.form === "villages") return <VillagesForm module={data} onClose={onClose} />;
  return <ModuleForm module={data} copy={opening.form === "copy"} onClose={onClose} />;
}

type TypesProps = {
  types: readonly ModuleType[];
  on: string | undefined;
  choose: (type: string | undefined) => void;
};

/** Kinds of acts by area, each with how many modules it has. */
function Types({ types, on, choose }: TypesProps) {
  const groups = [...Map.groupBy(types, (t) => t.group)];
  const total = types.reduce((sum, t) => sum + t.modules, 0);
  return (
    <nav className="card audit__types" aria-label="审批类型">
      <button type="button" aria-current={on === undefined} onClick={() => choose(undefined)}>
        全部类型<i>{total}</i>
      </button>
      {groups.map(([group, some]) => (
        <div key={group}>
          <h3>{group}</h3>
          {some.map((t) => (
            <button key={t.type} type="button" aria-current={on === t.type} onClick={() => choose(t.type)}>
              {t.title}
              <i>{t.modules}</i>
            </button>
          ))}
        </div>
      ))}
    </nav>
  );
}
