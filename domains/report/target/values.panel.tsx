import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { askReason } from "../../../platform/console/form/reason.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { monthOf } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { useRuling } from "../indicator/ruled.panel.tsx";
import { INDICATORS, typeableValue, type Code } from "../indicator/figure.rules.ts";
import { exportTargets, targetImport } from "./import.contract.ts";
import { BringForm, CopyForm, FillForm } from "./fill.form.tsx";
import { cellKey, TargetGrid, type Edit, type Edits } from "./grid.panel.tsx";
import { saveTargets, targets, unlinkBudgets } from "./target.contract.ts";
import { monthsOf } from "./target.rules.ts";
import { ImportedBar as Bar } from "../../../platform/console/files/imported-bar.tsx";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";

type Imported = { id: number; saved: number; version: number };
type Props = {
  of: { code: Code; year: number; villageIds: string };
  onDone: (done: Imported) => void;
  onClose: () => void;
};

/** 导入目标: the file is checked whole, then all of its targets are taken or none. */
function TargetImport({ of, onDone, onClose }: Props) {
  const [note, setNote] = useState("");
  return (
    <ImportDialog
      title="导入目标"
      calls={targetImport}
      templateQuery={{
        code: of.code,
        year: String(of.year),
        ...(of.villageIds && { villageIds: of.villageIds }),
      }}
      hint="模板中是当前指标和年份的目标，改好后上传；空白不修改，有错误时不导入任何一格"
      fields={{ note: note.trim() }}
      undoSays={(b) => `把 ${b.number} 修改的目标恢复为导入前的值；导入后又被修改过的不能撤销。`}
      totals={(batch) => [{ title: "修改", text: `${batch.changes} 格` }]}
      onDone={onDone}
      onClose={onClose}
    >
      <label className="fi">
        <span className="fi__label">原因</span>
        <div className="fi__in">
          <TextInput
            value={note}
            onChange={(next) => setNote(next ?? "")}
            placeholder="修改已结束的月份须填写"
          />
        </div>
      </label>
    </ImportDialog>
  );
}

/** After an import: how many cells it changed, and the way back while nobody has changed them again. */
const ImportedBar = ({ done, onClose }: { done: Imported; onClose: () => void }) => (
  <Bar
    said={`已导入 ${done.saved} 格目标`}
    ask={`恢复刚导入的 ${done.saved} 格目标，确定吗？`}
    undo={targetImport.undo}
    batch={done}
    onClose={onClose}
  />
);

const EXPORTED = [
  "villageName",
  "indicator",
  "year",
  "unit",
  ...Array.from({ length: 12 }, (_, i) => `m${i + 1}`),
  "whole",
];
const NOTHING: Edits = new Map();

type ValuesProps = {
  code: Code;
  year: number;
  villageIds: string;
  /** Only stores that have no target of their own for some month. */
  gaps: boolean;
  edits: Edits;
  onEdit: (edits: Edits) => void;
};

/** 目标值: the grid with what is typed into it, kept when it is saved. */
export function Values({ code, year, villageIds, gaps, edits, onEdit }: ValuesProps) {
  const refresh = useRefresh();
  const act = useAct();
  const [open, setOpen] = useState<"fill" | "bring" | "copy" | "import">();
  const [imported, setImported] = useState<Imported>();
  const [busy, setBusy] = useState(false);
  const only = villageIds ? { villageIds } : {};
  const otherwise = useRuling().ruleOf(code).defaultTarget;
  const { data: all, error, refetch } = useQuery(ask(targets, { query: { code, year, ...only } }));
  const data = gaps ? all?.filter((row) => row.cells.some((cell) => cell.value === null)) : all;
  const before = useQuery({
    ...ask(targets, { query: { code, year: year - 1, ...only } }),
    enabled: open === "fill",
  });
  const editable = may("139.edit");
  const wrong = [...edits.values()].filter((edit) => edit.msg).length;
  const today = useToday();
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  if (!data.length) return <Empty text={all?.length ? "所选门店每个月都有目标，没有空缺" : "还没有门店"} />;
  const seen = gaps ? { villageIds: data.map((row) => row.villageId).join(",") } : only;
  const cells = data.flatMap((row) =>
    row.cells.flatMap((cell) => {
      const edit = edits.get(cellKey(row.villageId, cell.month));
      return edit
        ? [{ villageId: row.villageId, month: cell.month, value: edit.value, version: cell.version }]
        : [];
    }),
  );
  const linked = data.flatMap((row) =>
    row.cells.flatMap(({ month, source, version }) =>
      source === "budget" ? [{ villageId: row.villageId, month, version }] : [],
    ),
  );
  const unlink = (some: typeof linked) =>
    act(
      unlinkBudgets,
      { body: { code, cells: some } },
      {
        done: "已改为手工",
        ask: {
          title: "改为手工",
          body: `${some.length} 格由预算带入的目标保留现值，可以修改，不再随预算变化。`,
          ok: "改为手工",
        },
      },
    );
  const save = async (note: string) => {
    setBusy(true);
    try {
      await send(saveTargets, { body: { code, cells, note } });
      onEdit(NOTHING);
      toast("目标已保存");
      await refresh();
    } catch (failure) {
      // the cells that stand in the way are marked, the others keep what was typed
      const marked = new Map(edits);
      if (failure instanceof Refusal)
        for (const { field, msg } of failure.fields) {
          const cell = cells[Number(/^cells\.(\d+)/.exec(field)?.[1] ?? NaN)];
          const key = cell && cellKey(cell.villageId, cell.month);
          if (key) marked.set(key, { ...marked.get(key)!, msg });
        }
      onEdit(marked);
      showFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  const submit = () =>
    cells.some((cell) => cell.month < monthOf(today))
      ? askReason({ title: "修改历史目标", text: "有已结束的月份被修改，请填写原因" }, save)
      : save("");
  return (
    <section className="card">
      {imported && <ImportedBar done={imported} onClose={() => setImported(undefined)} />}
      <div className="tools row">
        {editable && (
          <>
            <Button
              look="main"
              busy={busy}
              why={wrong ? `${wrong} 处需要修改` : edits.size ? undefined : "没有修改"}
              run={() => void submit()}
            >
              保存{edits.size > 0 && ` ${edits.size} 格`}
            </Button>
            <Button why={edits.size ? undefined : "没有修改"} run={() => onEdit(NOTHING)}>
              放弃修改
            </Button>
            <Button run={() => setOpen("fill")}>批量填入</Button>
            <Button why={edits.size ? "请先保存或放弃修改" : undefined} run={() => setOpen("bring")}>
              从预算带入
            </Button>
            {linked.length > 0 && (
              <Button run={() => void unlink(linked).catch(() => undefined)}>改为手工</Button>
            )}
            <Button run={() => setOpen("copy")}>复制到门店</Button>
          </>
        )}
        {may("139.import") && (
          <Button why={edits.size ? "请先保存或放弃修改" : undefined} run={() => setOpen("import")}>
            导入
          </Button>
        )}
        {may("139.export") && (
          <Button
            icon="download"
            run={() => exportList(exportTargets, { query: { code, year, ...seen } }, EXPORTED)}
          >
            导出
          </Button>
        )}
        <span className="grow" />
        <span className="dim">
          单位：{INDICATORS[code].kind === "rate" ? "%" : "元"}
          {may("139.edit") && "；可从电子表格整块粘贴，方向键和回车在格间移动"}
        </span>
      </div>
      <TargetGrid
        code={code}
        year={year}
        rows={data}
        edits={edits}
        onEdit={onEdit}
        editable={editable}
        onUnlink={(cell) => void unlink([cell]).catch(() => undefined)}
        otherwise={otherwise}
      />
      {open === "fill" && before.data && (
        <FillForm
          code={code}
          rows={data}
          before={before.data}
          onClose={() => setOpen(undefined)}
          onFill={(filled) => {
            const next = new Map(edits);
            for (const row of data)
              monthsOf(year).forEach((month, i) => {
                const value = filled(row.villageId, i);
                if (value === undefined || row.cells[i]!.source === "budget") return;
                const edit: Edit = { typed: typeableValue(code, value), value };
                if (value === row.cells[i]!.value) next.delete(cellKey(row.villageId, month));
                else next.set(cellKey(row.villageId, month), edit);
              });
            onEdit(next);
          }}
        />
      )}
      {open === "import" && (
        <TargetImport
          of={{ code, year, villageIds: seen.villageIds ?? "" }}
          onDone={setImported}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "bring" && (
        <BringForm
          code={code}
          year={year}
          villageIds={data.map((row) => row.villageId)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "copy" && <CopyForm code={code} year={year} onClose={() => setOpen(undefined)} />}
    </section>
  );
}
