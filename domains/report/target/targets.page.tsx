import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Select } from "antd";
import { useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { confirmLeave } from "../../../platform/console/dialog.tsx";
import { showFailure } from "../../../platform/console/failure.ts";
import { ListPage } from "../../../platform/console/list.tsx";
import { useAddress, useUnsaved } from "../../../platform/console/page.ts";
import { may } from "../../../platform/console/permits.ts";
import { askReason } from "../../../platform/console/reason.tsx";
import { ask, send } from "../../../platform/console/request.ts";
import { VillagesSelect } from "../../../platform/console/selects.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/states.tsx";
import { toast } from "../../../platform/console/toast.ts";
import { Underline } from "../../../platform/console/underline.tsx";
import { dayInZone, monthOf } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { CODES, INDICATORS, type Code } from "../overview/overview.rules.ts";
import { CopyForm } from "./copy.form.tsx";
import { FillForm } from "./fill.form.tsx";
import { cellKey, TargetGrid, type Edit, type Edits } from "./grid.panel.tsx";
import { Heat } from "./heat.panel.tsx";
import { saveTargets, targetChanges, targets } from "./target.contract.ts";
import { monthsOf, typeableValue } from "./target.rules.ts";
import "../overview/overview.css";
import "./target.css";

const TABS = [
  { key: "values", title: "目标值" },
  { key: "done", title: "完成情况" },
  { key: "history", title: "修改记录" },
] as const;
const NOTHING: Edits = new Map();

/** 目标配置: what the dashboard measures against, by store and month. */
export default function TargetsPage() {
  const [address, set] = useAddress();
  const today = dayInZone(new Date());
  const year = Number(address.get("year")) || Number(today.slice(0, 4));
  const code = (CODES as readonly string[]).includes(address.get("code") ?? "")
    ? (address.get("code") as Code)
    : "occupancyRate";
  const villageIds = address.get("villageIds") ?? "";
  const tab = TABS.find((t) => t.key === address.get("tab"))?.key ?? "values";
  const [edits, setEdits] = useState<Edits>(NOTHING);
  useUnsaved(edits.size > 0);
  const change = async (patch: Record<string, string | undefined>) => {
    if (edits.size && !(await confirmLeave())) return;
    setEdits(NOTHING);
    set(patch);
  };
  return (
    <div className="tgs">
      <Underline
        label="目标配置"
        items={TABS}
        on={tab}
        onChange={(key) => void change({ tab: key === "values" ? undefined : key })}
      />
      <div className="ov__head">
        <Select
          aria-label="指标"
          value={code}
          style={{ width: 148 }}
          options={CODES.map((key) => ({ value: key, label: INDICATORS[key].title }))}
          onChange={(key) => void change({ code: key })}
        />
        {tab !== "history" && (
          <Select
            aria-label="年份"
            value={year}
            style={{ width: 108 }}
            options={Array.from({ length: 7 }, (_, i) => Number(today.slice(0, 4)) - 4 + i).map((y) => ({
              value: y,
              label: `${y} 年`,
            }))}
            onChange={(y) => void change({ year: String(y) })}
          />
        )}
        <VillagesSelect
          value={villageIds ? villageIds.split(",").map(Number) : []}
          prefix="门店"
          onChange={(ids) => void change({ villageIds: ids.join(",") || undefined })}
        />
        <small className="dim">{INDICATORS[code].formula}</small>
      </div>
      {tab === "values" && (
        <Values code={code} year={year} villageIds={villageIds} edits={edits} onEdit={setEdits} />
      )}
      {tab === "done" && <Heat code={code} year={year} villageIds={villageIds} />}
      {tab === "history" && (
        <ListPage
          call={targetChanges}
          fixed={{ code, ...(villageIds && { villageIds }) }}
          columns={[
            "at",
            "byName",
            "indicator",
            "villageName",
            "month",
            "before",
            "after",
            { key: "note", width: 240 },
          ]}
          emptyText="还没有修改过目标"
        />
      )}
    </div>
  );
}

function Values({
  code,
  year,
  villageIds,
  edits,
  onEdit,
}: {
  code: Code;
  year: number;
  villageIds: string;
  edits: Edits;
  onEdit: (edits: Edits) => void;
}) {
  const refresh = useRefresh();
  const [open, setOpen] = useState<"fill" | "copy">();
  const [busy, setBusy] = useState(false);
  const only = villageIds ? { villageIds } : {};
  const { data, error, refetch } = useQuery(ask(targets, { query: { code, year, ...only } }));
  const before = useQuery({
    ...ask(targets, { query: { code, year: year - 1, ...only } }),
    enabled: open === "fill",
  });
  const editable = may("139.edit");
  const wrong = [...edits.values()].filter((edit) => edit.msg).length;
  const today = dayInZone(new Date());
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  if (!data.length) return <Empty text="还没有门店" />;
  const cells = data.flatMap((row) =>
    row.cells.flatMap((cell) => {
      const edit = edits.get(cellKey(row.villageId, cell.month));
      return edit
        ? [{ villageId: row.villageId, month: cell.month, value: edit.value, version: cell.version }]
        : [];
    }),
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
      <div className="tools">
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
            <Button run={() => setOpen("copy")}>复制到门店</Button>
          </>
        )}
        <span className="grow" />
        <span className="dim">
          单位：{INDICATORS[code].kind === "rate" ? "%" : "元"}；可从电子表格整块粘贴，方向键和回车在格间移动
        </span>
      </div>
      <TargetGrid code={code} year={year} rows={data} edits={edits} onEdit={onEdit} editable={editable} />
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
      {open === "copy" && <CopyForm code={code} year={year} onClose={() => setOpen(undefined)} />}
    </section>
  );
}
