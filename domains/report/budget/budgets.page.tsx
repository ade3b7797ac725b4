import { Select } from "antd";
import { useState } from "react";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { ImportedBar } from "../../../platform/console/files/imported-bar.tsx";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { addBudgets, budgetMonths, type BudgetRow, exportBudgets, listBudgets } from "./budget.contract.ts";
import { AddForm } from "./budget.form.tsx";
import { BudgetDrawer, gridPath, useBudgetActs } from "./budget.panel.tsx";
import { BUDGET_STATE } from "./budget.rules.ts";
import { budgetImport } from "./import.contract.ts";
import { reachedOf } from "../budget-indicator/value.rules.ts";
import { short } from "../owing/picture.panel.tsx";
import { percentOf } from "./reached.panel.tsx";
import { useYear } from "./year.panel.tsx";

const BUDGET = "/accountManage/BudgetManage";
type Imported = { id: number; saved: number; version: number };

/** 预算管理: a year of each store, planned, approved and as it goes. */
export default function BudgetsPage() {
  const [address] = useAddress();
  const go = useGo();
  const acts = useBudgetActs();
  const year = useYear();
  const villageIds = address.get("villageIds") ?? "";
  const [imported, setImported] = useState<Imported>();
  const kept = { year, ...(villageIds && { villageIds }) };
  return (
    <>
      {imported && (
        <ImportedBar
          said={`已导入 ${imported.saved} 格预算`}
          ask={`恢复刚导入的 ${imported.saved} 格预算，确定吗？`}
          undo={budgetImport.undo}
          batch={imported}
          onClose={() => setImported(undefined)}
        />
      )}
      <ListPage
        call={listBudgets}
        unit="个门店"
        filters={["year", "villageIds", "state"]}
        columns={[
          { key: "villageName", to: (b) => gridPath(b.openId ?? b.id) },
          "year",
          { key: "inForceNo", show: (b) => (b.inForceNo === null ? "—" : `第 ${b.inForceNo} 版`) },
          { key: "versions", wide: true },
          "income",
          "cost",
          { key: "profit", strong: true },
          "actual",
          "reached",
          { key: "state", show: (b) => <State of={b} />, width: 180 },
          { key: "updatedName", wide: true },
          { key: "updatedAt", wide: true },
          { key: "name", hidden: true },
        ]}
        card={{
          title: "villageName",
          right: "state",
          lines: [["income", "profit"], ["actual"], ["reached"]],
        }}
        adds={{ does: addBudgets, form: (close) => <AddForm year={year} onClose={close} /> }}
        imports={{
          does: budgetImport.check,
          form: (close) => (
            <ImportDialog
              title="导入预算"
              calls={budgetImport}
              templateQuery={{ year: String(year), ...(villageIds && { villageIds }) }}
              hint={`模板中是${villageIds ? "所选门店" : "全部门店"} ${year} 年草稿的预算，填好后上传；空白不修改，有错误时不导入任何一格`}
              undoSays={(b) => `把 ${b.number} 填写的预算恢复为导入前的值；导入后又被修改过的不能撤销。`}
              totals={(batch) => [{ title: "修改", text: `${batch.changes} 格` }]}
              onDone={setImported}
              onClose={close}
            />
          ),
        }}
        toolbar={[
          {
            label: "指标明细",
            need: "136.query",
            run: () => go(`${BUDGET}/BudgetIndicatorDetailTable`, kept),
          },
          {
            label: "指标完成情况",
            need: "136.query",
            run: () => go(`${BUDGET}/BudgetIndicatorCompleteTable`, kept),
          },
          {
            label: "门店完成情况",
            need: "136.query",
            run: () => go(`${BUDGET}/VillageBudgetCompleteTable`, kept),
          },
          { label: "预算配置", need: "136.query", run: () => go(`${BUDGET}/BudgetConfigPage`) },
        ]}
        rowActions={(b) => [
          { label: "版本", need: "136.get", run: () => go(BUDGET, { ...kept, id: b.id }) },
          ...acts.of(b),
        ]}
        drawer={(id) => <BudgetDrawer id={id} acts={acts} />}
        picture={(query) => <Picture query={query} year={year} />}
        exportCall={exportBudgets}
        emptyText="按门店编制全年预算：新建后填写指标，提交审批后生效"
      />
      {acts.layer}
    </>
  );
}

const State = ({ of }: { of: BudgetRow }) => (
  <span className="row gap-2">
    <WordTag words={BUDGET_STATE} code={of.state} />
    {of.openState && of.state === "inForce" && (
      <StatusTag tone={BUDGET_STATE[of.openState][1]} dot={false}>
        {`第 ${of.openNo} 版${BUDGET_STATE[of.openState][0]}`}
      </StatusTag>
    )}
  </span>
);

/** The months of a store on the list, the first where none is chosen: its budget, what came in beside it, and how much of the one that is. */
function Picture({ query, year }: { query: Record<string, unknown>; year: number }) {
  const [chosen, setChosen] = useState<number>();
  const stores = { ...query, pageNo: 1, pageSize: 200, want: "rows" };
  return (
    <Loaded call={listBudgets} sent={{ query: stores as never }} lines={6}>
      {({ list }) => {
        const first = list.find((b) => b.villageId === chosen) ?? list[0];
        return first ? (
          <Loaded call={budgetMonths} sent={{ query: { year, villageId: first.villageId } }} lines={6}>
            {(months) => (
              <>
                <div className="row wrap between">
                  <h3>{`${first.villageName} ${year} 年收入`}</h3>
                  {list.length > 1 && (
                    <Select
                      aria-label="图中的门店"
                      showSearch={{ optionFilterProp: "label" }}
                      value={first.villageId}
                      options={list.map((b) => ({ value: b.villageId, label: b.villageName }))}
                      style={{ minWidth: 180 }}
                      onChange={setChosen}
                    />
                  )}
                </div>
                <Chart
                  kind="bar"
                  title={`${first.villageName}预算与实际收入`}
                  height={260}
                  labels={months.map((m) => `${m.month}月`)}
                  series={[
                    { name: "预算", values: months.map((m) => m.budget) },
                    { name: "实际", values: months.map((m) => m.actual), tone: "blue" },
                    {
                      name: "完成率",
                      values: months.map((m) => reachedOf(m.actual, m.budget)),
                      tone: "green",
                      line: true,
                      right: percentOf,
                    },
                  ]}
                  axis={short}
                  format={yuan}
                />
              </>
            )}
          </Loaded>
        ) : (
          <Empty text="没有预算" />
        );
      }}
    </Loaded>
  );
}
