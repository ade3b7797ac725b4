import { Select } from "antd";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { Button } from "../../../platform/console/parts/button.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { type Indicator, KINDS } from "../budget-indicator/source.rules.ts";
import { MONTHS, evaluator, plannedLeaf } from "../budget-indicator/value.rules.ts";
import {
  type BudgetGrid,
  type GridRow,
  budgetCells,
  listBudgets,
  saveCells,
  submitBudget,
} from "./budget.contract.ts";
import { BUDGET_STATE, titleOf } from "./budget.rules.ts";
import { useEdits } from "./edits.panel.tsx";
import { BudgetSheet } from "./grid.panel.tsx";
import { RaiseForm, SpreadForm } from "./tools.form.tsx";

const LIST = "/accountManage/BudgetManage";

/** 门店预算: one version as a grid. Without one in the address, the first store's of this year. */
export default function VillageBudgetPage() {
  const [address] = useAddress();
  const id = Number(address.get("versionId")) || undefined;
  if (id) return <Version key={id} id={id} />;
  return (
    <Loaded call={listBudgets} sent={{ query: { pageSize: 1, want: "rows" } as never }} lines={12}>
      {({ list: [first] }) =>
        first ? (
          <Version key={first.id} id={first.openId ?? first.id} />
        ) : (
          <Empty text="还没有编制预算">
            <Link to={LIST}>去预算管理新建</Link>
          </Empty>
        )
      }
    </Loaded>
  );
}

const Version = ({ id }: { id: number }) => (
  <Loaded call={budgetCells} sent={{ params: { id } }} lines={14} keeps>
    {(grid) => <Grid grid={grid} />}
  </Loaded>
);

/** What the grid works figures out by: the same rules as the server's. */
const asIndicator = ({
  formula,
  before: _,
  beforeYear: _b,
  level: _l,
  formulaText: _t,
  ...row
}: GridRow): Indicator => ({
  ...row,
  source:
    formula === null ? { by: "money", parts: [] } : formula ? { by: "formula", formula } : { by: "children" },
});

function Grid({ grid }: { grid: BudgetGrid }) {
  const act = useAct();
  const [address, set] = useAddress();
  const editable = grid.state === "draft" && may(saveCells.needs);
  const edits = useEdits(grid, editable);
  const [tool, setTool] = useState<{ what: "spread" | "raise"; row: GridRow }>();
  const [looking, setLooking] = useState(false);
  const kinds = (address.get("kinds") ?? "").split(",").filter(Boolean);
  const gaps = address.get("gaps") === "1";
  const past = address.get("past") === "1";
  const marked = Number(address.get("indicatorId")) || undefined;
  const indicators = useMemo(() => new Map(grid.rows.map((r) => [r.id, asIndicator(r)])), [grid]);
  const { valueAt } = edits;
  const figures = evaluator([...indicators.values()], (indicatorId, _village, month) => {
    const value = valueAt(indicatorId, month);
    return value === null
      ? null
      : plannedLeaf(indicators.get(indicatorId)!, value, grid.nights[month - 1] ?? 0);
  });
  const hasGap = (row: GridRow) => row.formula === null && MONTHS.some((m) => valueAt(row.id, m) === null);
  const rows = grid.rows.filter(
    (row) => (!kinds.length || kinds.includes(row.kind)) && (!gaps || hasGap(row)),
  );
  const submit = async () => {
    if (!(await edits.finish())) {
      toast("有单元格未保存，请先处理", "error");
      return;
    }
    const done = await act(
      submitBudget,
      { params: { id: grid.id }, body: { version: grid.version } },
      { ask: { title: `提交 ${titleOf(grid)}`, body: "提交后不能再修改。", ok: "提交" } },
    );
    if (done) toast(done.waiting ? `已提交审批 ${done.waiting}` : "预算已生效");
  };
  return (
    <div className="stack gap-6 full">
      <div className="row wrap between">
        <div className="row wrap">
          <h2 className="fs-16">{titleOf(grid)}</h2>
          <WordTag words={BUDGET_STATE} code={grid.state} />
          <span className="dim">{grid.name}</span>
          {grid.reason && <span className="dim cut" title={grid.reason}>{`原因：${grid.reason}`}</span>}
        </div>
        <div className="row wrap">
          <Link to={pathTo(LIST, { year: grid.year })}>返回预算管理</Link>
          <Button run={() => setLooking(true)}>日志</Button>
          <ActionButtons
            actions={[
              grid.state === "draft" && {
                label: "提交审批",
                main: true,
                does: submitBudget,
                why: edits.wrong ? `${edits.wrong} 处需要修改` : undefined,
                run: submit,
              },
            ]}
          />
        </div>
      </div>
      {edits.late.length > 0 && (
        <div className="notice s-red" role="alert">
          <span className="grow">{edits.late.join("；")}</span>
          <Button size="sm" run={() => edits.settle(false)}>
            采用现值
          </Button>
          <Button size="sm" run={() => edits.settle(true)}>
            仍用我填的
          </Button>
        </div>
      )}
      <section className="card fill stack">
        <div className="tools row wrap">
          <Select
            aria-label="指标类型"
            mode="multiple"
            value={kinds}
            placeholder="全部类型"
            style={{ minWidth: 148 }}
            maxTagCount="responsive"
            options={Object.entries(KINDS).map(([value, [label]]) => ({ value, label }))}
            onChange={(next) => set({ kinds: next })}
          />
          <Tick checked={gaps} onChange={(on) => set({ gaps: on ? "1" : undefined })}>
            只看未填
          </Tick>
          <Tick checked={past} onChange={(on) => set({ past: on ? "1" : undefined })}>
            显示上年实际
          </Tick>
          <span className="grow" />
          {editable ? (
            <>
              <span className="dim" role="status">
                {edits.wrong
                  ? `${edits.wrong} 处需要修改，改好后自动保存`
                  : edits.saving
                    ? "保存中…"
                    : edits.edits.size > edits.late.length
                      ? "有未保存的修改，稍后自动保存"
                      : edits.savedAt
                        ? `已保存 ${edits.savedAt}`
                        : "可从电子表格整块粘贴，方向键和回车在格间移动"}
              </span>
              <Button why={edits.steps ? undefined : "没有可撤销的修改"} run={edits.undo}>
                撤销
              </Button>
              <Button
                why={edits.wrong ? `${edits.wrong} 处需要修改` : edits.edits.size ? undefined : "没有修改"}
                run={edits.finish}
              >
                保存
              </Button>
            </>
          ) : (
            <span className="dim">{grid.state === "draft" ? "没有编辑权限" : "仅草稿可编辑"}</span>
          )}
        </div>
        {rows.length ? (
          <BudgetSheet
            rows={rows}
            indicators={indicators}
            figures={figures}
            villageId={grid.villageId}
            edits={edits}
            editable={editable}
            past={past}
            marked={marked}
            onSpread={(row) => setTool({ what: "spread", row })}
            onRaise={(row) => setTool({ what: "raise", row })}
          />
        ) : (
          <Empty text={gaps ? "所有指标都已填写" : "没有符合条件的指标"} />
        )}
      </section>
      {looking && (
        <Drawer title={`${titleOf(grid)} 日志`} onClose={() => setLooking(false)}>
          <History kind="budget" id={grid.id} />
        </Drawer>
      )}
      {tool?.what === "spread" && (
        <SpreadForm versionId={grid.id} row={tool.row} onLay={edits.lay} onClose={() => setTool(undefined)} />
      )}
      {tool?.what === "raise" && (
        <RaiseForm
          row={tool.row}
          values={MONTHS.map((m) => valueAt(tool.row.id, m))}
          onLay={edits.lay}
          onClose={() => setTool(undefined)}
        />
      )}
    </div>
  );
}
