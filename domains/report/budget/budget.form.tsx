import { Select } from "antd";
import { useState } from "react";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import type { Words } from "../../../platform/kernel/field.ts";
import { addBudgets, type BudgetRow, compareBudgets, differenceRow, renewBudget } from "./budget.contract.ts";
import { YEARS } from "./budget.rules.ts";

/** New budgets of a year for some stores at once. */
export const AddForm = ({ year, onClose }: { year: number; onClose: () => void }) => (
  <FormDrawer
    call={addBudgets}
    title="新建预算"
    ok="新建"
    done="预算草稿已新建"
    initial={{ villageIds: [], year, from: "blank", percent: 0, name: `${year} 年预算` }}
    onClose={onClose}
    fields={[
      {
        key: "villageIds",
        must: true,
        input: (p) => (
          <VillagesSelect value={p.value ?? []} onChange={p.onChange} width={320} placeholder="请选择门店" />
        ),
      },
      {
        key: "year",
        input: (p) => (
          <ChoiceInput
            {...p}
            value={p.value === undefined ? undefined : String(p.value)}
            onChange={(next) => p.onChange(next === undefined ? undefined : Number(next))}
            words={YEARS as Words}
          />
        ),
      },
      {
        key: "from",
        help: "复制和上年实际只带入需要填写的指标，上年实际只带入已结束的月份，新建后可以修改",
      },
      {
        key: "percent",
        when: (v: { from?: string }) => v.from === "actual",
        help: "上年实际 ×（1 + 上浮），比率最高为 100%",
      },
      "name",
    ]}
  />
);

/** What is in force is planned anew, with the reason. */
export const RenewForm = ({ of, onClose }: { of: BudgetRow; onClose: () => void }) => (
  <FormDialog
    call={renewBudget}
    title={`${of.villageName} ${of.year} 年新版本`}
    params={{ id: of.id }}
    initial={{ name: of.name }}
    ok="新建版本"
    done="新版本已建为草稿"
    onClose={onClose}
    fields={["name", { key: "reason", wide: true, help: "新版本从生效版本复制，审批通过后替换它" }]}
  />
);

type Versions = readonly { id: number; no: number; name: string }[];

/** Two versions side by side: only what differs. */
export function CompareDialog({
  title,
  versions,
  onClose,
}: {
  title: string;
  versions: Versions;
  onClose: () => void;
}) {
  const [newer, setNewer] = useState(versions[0]!.id);
  const [older, setOlder] = useState(versions[1]!.id);
  const pick = (label: string, value: number, onChange: (id: number) => void) => (
    <Select
      aria-label={label}
      value={value}
      style={{ width: 200 }}
      options={versions.map((v) => ({ value: v.id, label: `第 ${v.no} 版 ${v.name}` }))}
      onChange={onChange}
    />
  );
  return (
    <Dialog title={`${title} 版本对比`} width={760} onClose={onClose}>
      <div className="stack gap-5">
        <div className="row wrap">
          {pick("原版本", older, setOlder)}
          <span className="dim">对比</span>
          {pick("新版本", newer, setNewer)}
        </div>
        {older === newer ? (
          <p className="dim">请选择两个不同的版本</p>
        ) : (
          <Loaded call={compareBudgets} sent={{ params: { id: newer }, query: { with: older } }}>
            {({ list }) => (
              <RowTable
                schema={differenceRow}
                rows={list}
                columns={["indicatorName", "months", "unit", "before", "after", "change"]}
                emptyText="两个版本没有差异"
              />
            )}
          </Loaded>
        )}
      </div>
    </Dialog>
  );
}
