import { useState } from "react";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect, VillageSelect, VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type Code, INDICATORS } from "../indicator/figure.rules.ts";
import { bringBudgets, budgetsToBring, copyTargets, type targets } from "./target.contract.ts";
import { spread } from "./target.rules.ts";

type Rows = Reply<typeof targets>;
export type Filled = (villageId: number, i: number) => number | null | undefined;

type Props = {
  code: Code;
  rows: Rows;
  /** The year before, whose targets may be carried over. */
  before: Rows | undefined;
  onFill: (filled: Filled) => void;
  onClose: () => void;
};

/** Fills the grid: the year before and some percent, or a year's amount over its months. Nothing is saved yet. */
export function FillForm({ code, rows, before, onFill, onClose }: Props) {
  const adds = INDICATORS[code].adds;
  const [how, setHow] = useState<"grow" | "even" | "like">("grow");
  const [percent, setPercent] = useState<number | undefined>(0);
  const [whole, setWhole] = useState<number>();
  const most = INDICATORS[code].kind === "rate" ? 1 : Number.MAX_SAFE_INTEGER;
  const round = (value: number) =>
    INDICATORS[code].kind === "rate" ? Math.round(value * 10_000) / 10_000 : Math.round(value);
  const beforeOf = (id: number) => before?.find((row) => row.villageId === id)?.cells ?? [];
  const fill: Filled = (id, i) => {
    if (how === "grow") {
      const value = beforeOf(id)[i]?.value;
      return value === null || value === undefined
        ? undefined
        : Math.min(most, round(value * (1 + (percent ?? 0) / 100)));
    }
    const weights =
      how === "even"
        ? Array<number>(12).fill(1)
        : Array.from({ length: 12 }, (_, k) => beforeOf(id)[k]?.value ?? 0);
    return weights.some(Boolean) ? spread(whole ?? 0, weights)[i] : undefined;
  };
  const known = before?.some((row) => row.cells.some((c) => c.value !== null)) ?? false;
  const why =
    how !== "even" && !known
      ? "上一年没有目标"
      : how === "grow"
        ? percent === undefined || Number.isNaN(percent)
          ? "请输入百分比"
          : undefined
        : !whole
          ? "请输入全年金额"
          : undefined;
  const ways = [
    ["grow", "按上年 ×（1 + x%）"],
    ...(adds
      ? ([
          ["even", "年度金额平均分摊"],
          ["like", "年度金额按上年结构分摊"],
        ] as const)
      : []),
  ] as const;
  return (
    <Dialog
      title="批量填入"
      width={460}
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          ok={`填入 ${rows.length} 个门店`}
          why={why}
          run={() => (onFill(fill), onClose())}
        />
      }
    >
      <div className="tg__fill grid gap-5 fs-13">
        {ways.map(([key, title]) => (
          <Tick key={key} one="how" checked={how === key} onChange={() => setHow(key)}>
            {title}
          </Tick>
        ))}
        {how === "grow" ? (
          <NumberInput value={percent} onChange={setPercent} unit="%" id="fill-percent" />
        ) : (
          <MoneyInput value={whole} onChange={setWhole} id="fill-whole" placeholder="每个门店的全年金额" />
        )}
        <p className="dim">填入后在表格中核对，保存才生效；分摊合计与全年金额一致</p>
      </div>
    </Dialog>
  );
}

/** The year of one store, given to others; what stands there is replaced. */
export const CopyForm = ({ code, year, onClose }: { code: Code; year: number; onClose: () => void }) => (
  <FormDialog
    call={copyTargets}
    title={`复制 ${year} 年目标`}
    ok="复制"
    done="目标已复制"
    initial={{ code, year }}
    fields={[
      { key: "from", input: (p) => <VillageSelect {...p} /> },
      {
        key: "to",
        title: "目标门店",
        help: "目标门店原有的目标将被覆盖",
        input: (p) => (
          <VillagesSelect value={p.value ?? []} onChange={p.onChange} width={260} placeholder="请选择门店" />
        ),
      },
      { key: "note", help: "修改已结束的月份须填写" },
    ]}
    onClose={onClose}
  />
);

type BringProps = { code: Code; year: number; villageIds: number[]; onClose: () => void };

/** The year of the shown stores from their budgets in force, which the cells follow from then on. */
export const BringForm = ({ code, year, villageIds, onClose }: BringProps) => (
  <FormDialog
    call={bringBudgets}
    title={`从预算带入 ${year} 年目标`}
    ok={`带入 ${villageIds.length} 个门店`}
    initial={{ code, year, villageIds }}
    onDone={({ saved, without }) =>
      toast(`已带入 ${saved} 格目标${without ? `，${without} 个门店没有生效的预算` : ""}`)
    }
    note={() => "只带入预算中填写了的月份，替换原有的目标；以后随新生效的预算变化"}
    fields={[
      {
        key: "budgetIndicatorId",
        help:
          code === "incomeAccrued"
            ? "预算的权责收入不含税，看板的权责收入含税"
            : `与${INDICATORS[code].title}同口径的预算指标`,
        input: (p) => (
          <RecordSelect
            {...p}
            placeholder="请选择预算指标"
            source={{
              call: budgetsToBring,
              query: { code },
              option: (one: { id: number; name: string }) => ({ value: one.id, label: one.name }),
            }}
          />
        ),
      },
      { key: "note", help: "修改已结束的月份须填写" },
    ]}
    onClose={onClose}
  />
);
