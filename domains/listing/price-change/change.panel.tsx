import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { useFollowed } from "../../../platform/console/calls/followed.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { Pager } from "../../../platform/console/list/pager.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag, StatusTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import {
  type ChangeRow,
  cancelChange,
  changeLines,
  editChange,
  exportLines,
  getChange,
  submitChange,
  withdrawChange,
  lineRow,
} from "./change.contract.ts";
import {
  APPLY_TO,
  CHANGE_KINDS,
  CHANGE_MOVES,
  CHANGE_STATES,
  type LinePart,
  LINE_PARTS,
} from "./words.rules.ts";
import { PRICE_UNITS } from "../room/words.rules.ts";
import "./price.css";
import type { z } from "zod";
import { Button } from "../../../platform/console/parts/button.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";

export type Line = z.output<typeof lineRow>;
const ROOMS = "/configuration/ApartmentManage";

export function PartTabs({
  part,
  counts,
  onPart,
  onExport,
}: {
  part: LinePart;
  counts: Partial<Record<LinePart, number>>;
  onPart: (part: LinePart) => void;
  onExport?: (() => unknown) | undefined;
}) {
  return (
    <div className="row gap-6 between">
      <Underline
        small
        label="明细范围"
        on={part}
        onChange={(key) => onPart(key as LinePart)}
        items={Object.entries(LINE_PARTS).map(([key, [title]]) => ({
          key,
          title,
          count: counts[key as LinePart] ?? 0,
        }))}
      />
      {onExport && (
        <Button size="sm" icon="download" run={onExport}>
          导出明细
        </Button>
      )}
    </div>
  );
}

/** Rooms with their old and new prices; a form lays its own inputs into the new price and before the row. */
export const LinesTable = ({
  lines,
  pick,
  price,
}: {
  lines: readonly Line[];
  pick?: (line: Line) => ReactNode;
  price?: (line: Line, key: "newList" | "newLowest") => ReactNode;
}) => (
  <RowTable
    flat
    schema={lineRow}
    rows={lines}
    emptyText="没有符合条件的房间"
    columns={[
      ...(pick ? [{ own: "pick", title: "调整", width: 56, show: pick }] : []),
      {
        key: "roomName",
        to: (l) => (reach(ROOMS) === undefined ? undefined : pathTo(ROOMS, { view: "room", id: l.roomId })),
      },
      "oldList",
      { key: "newList", ...(price && { show: (l: Line) => price(l, "newList") }) },
      { key: "unit", show: (l) => l.unit && PRICE_UNITS[l.unit][0] },
      "change",
      ...(may("#601")
        ? ([
            "oldLowest",
            { key: "newLowest", ...(price && { show: (l: Line) => price(l, "newLowest") }) },
          ] as const)
        : []),
      {
        own: "note",
        title: "说明",
        show: (l) => (
          <span className="row pc__notes">
            {l.skipped && <StatusTag tone="grey">{l.why}</StatusTag>}
            {l.edited && !l.skipped && <StatusTag tone="blue">手工修改</StatusTag>}
            {l.byProduct && (
              <StatusTag tone="grey" dot={false}>
                改产品价
              </StatusTag>
            )}
            {l.warnings.map((w) => (
              <StatusTag key={w} tone="orange">
                {w}
              </StatusTag>
            ))}
          </span>
        ),
      },
    ]}
  />
);

type Change = Pick<
  ChangeRow,
  "id" | "number" | "kind" | "state" | "mine" | "rooms" | "effectiveDay" | "version"
>;

/** What can be done with a change, the same in its row and on its own page. */
export function useChangeActs(): (change: Change) => Actions {
  const act = useAct();
  const [, set] = useAddress();
  return (c) => {
    const sent = { params: { id: c.id }, body: { version: c.version } };
    const why = (move: "edit" | "submit" | "withdraw" | "cancel" | "undo") =>
      CHANGE_MOVES.refusal(move, { status: c.state, mine: c.mine, kind: c.kind });
    const open = c.state === "draft" || c.state === "rejected";
    const planned = c.kind === "batch";
    return [
      open && {
        label: "提交",
        does: submitChange,
        main: true,
        why: why("submit"),
        run: () =>
          act(submitChange, sent, {
            ask: {
              title: `提交 ${c.number}`,
              body: `${c.rooms} 间房自 ${c.effectiveDay} 起执行新价格；配置了审批的先审批。确定提交吗？`,
              ok: "提交",
            },
            done: "已提交",
          }),
      },
      open &&
        planned && {
          label: "编辑",
          does: editChange,
          why: why("edit"),
          run: () => set({ draft: c.id, id: undefined }, { push: true }),
        },
      c.state === "approving" && {
        label: "撤回",
        does: withdrawChange,
        why: why("withdraw"),
        run: () =>
          act(withdrawChange, sent, {
            done: "已撤回",
            ask: { title: "撤回审批", body: "撤回后可以修改再提交，确定吗？" },
          }),
      },
      c.state !== "approving" &&
        c.state !== "running" &&
        c.state !== "cancelled" && {
          label: "取消",
          does: cancelChange,
          danger: true,
          why: why("cancel"),
          run: () =>
            act(cancelChange, sent, {
              done: "已取消",
              ask: {
                title: `取消 ${c.number}`,
                body:
                  c.state === "scheduled"
                    ? `${c.rooms} 间房恢复原来的价格安排，确定取消吗？`
                    : "取消后不能再提交，确定吗？",
                ok: "取消调价",
              },
            }),
        },
      planned && {
        label: "复制",
        need: "6.add",
        run: () => set({ draft: "new", copy: c.id, id: undefined }, { push: true }),
      },
      (c.state === "effective" || c.state === "scheduled") && {
        label: "回滚",
        need: "6.add",
        why: why("undo"),
        run: () => set({ draft: "new", undo: c.id, id: undefined }, { push: true }),
      },
    ];
  };
}

/** How many rooms have which list price, before and after. */
export const Spread = ({ labels, before, after }: { labels: string[]; before: number[]; after: number[] }) =>
  labels.length ? (
    <Chart
      kind="bar"
      title="价格分布"
      height={200}
      labels={labels.map((label) => `${Number(label).toLocaleString("en-US")} 元起`)}
      series={[
        { name: "调整前", values: before, tone: "grey" },
        { name: "调整后", values: after, tone: "blue" },
      ]}
      format={(n) => `${n} 间`}
    />
  ) : (
    <Empty text="没有可调整的房间" />
  );

const PAGE = "/configuration/BatchAdjustPrice";
const other = (one: { id: number; number: string } | null) =>
  one ? <Link to={pathTo(PAGE, { id: one.id })}>{one.number}</Link> : NONE;

/** A change on its own: what it does, room by room, and what happened to it. */
export function ChangeDrawer({ id }: { id: number }) {
  const actsOf = useChangeActs();
  return (
    <Detail
      call={getChange}
      sent={{ params: { id } }}
      width={960}
      title={(c) => c.number}
      tags={(c) => <WordTag words={CHANGE_STATES} code={c.state} />}
      strip={(c) => [
        { title: "房间", show: `${c.rooms.toLocaleString("en-US")} 间` },
        { title: "调整前均价", fen: c.oldAverage },
        { title: "调整后均价", fen: c.newAverage },
        { title: "月影响", fen: c.effect, help: "可租的空置房间，新标价减原标价的合计" },
      ]}
      facts={[
        { key: "scopeText", wide: true },
        { key: "kind", show: (c) => CHANGE_KINDS[c.kind][0] },
        {
          title: "方式",
          show: (c) => (c.kind === "batch" ? `${APPLY_TO[c.applyTo][0]} ${c.ruleText}` : c.ruleText),
        },
        "effectiveDay",
        "createdName",
        {
          title: "审批",
          show: (c) => {
            const to = c.examineId ? reach(WORKBENCH, { tab: "examine", examineId: c.examineId }) : undefined;
            return c.examineNo ? to ? <Link to={to}>{c.examineNo}</Link> : c.examineNo : NONE;
          },
        },
        { title: "回滚自", show: (c) => other(c.undoOf) },
        { title: "已被回滚", show: (c) => other(c.undoneBy) },
        { key: "villageNames", wide: true },
        { key: "reason", wide: true },
      ]}
      actions={actsOf}
      tabs={[
        {
          key: "lines",
          title: "明细",
          count: (c) => c.counts.all,
          view: (c) => <Lines id={c.id} counts={c.counts} />,
        },
        { key: "spread", title: "价格分布", view: (c) => <Spread {...c.histogram} /> },
      ]}
      log="priceChange"
    >
      {(c) => (
        <>
          {c.waiting && (
            <p className="pc__waits" role="status">
              <b>审批中</b> 节点 {c.waiting.node}
              {c.waiting.waitingFor && `，等待 ${c.waiting.waitingFor}`}，自{" "}
              {timeInZone(c.waiting.since).slice(0, 16)}
            </p>
          )}
          {c.state === "running" && <Running id={c.id} progress={c.progress} />}
          {c.failed && (
            <p className="pc__waits" role="status">
              <b>上次没有执行</b> 价格没有变化：{c.failed}
            </p>
          )}
        </>
      )}
    </Detail>
  );
}

/** How far the job is; looked at again until it is done. */
function Running({ id, progress }: { id: number; progress: number }) {
  const { data } = useFollowed(ask(getChange, { params: { id } }), (change) =>
    change.state === "running" ? [id] : [],
  );
  return (
    <p className="pc__waits" role="status">
      <b>执行中</b> 已完成 {data?.progress ?? progress} %，全部完成后一起生效
    </p>
  );
}

function Lines({ id, counts }: { id: number; counts: Record<LinePart, number> }) {
  const [part, setPart] = useState<LinePart>("all");
  const [page, setPage] = useState({ no: 1, size: 50 });
  const query = { part, pageNo: page.no, pageSize: page.size };
  const { data, error, refetch } = useQuery(ask(changeLines, { params: { id }, query }));
  return (
    <>
      <PartTabs
        part={part}
        counts={counts}
        onPart={(next) => {
          setPart(next);
          setPage({ ...page, no: 1 });
        }}
        onExport={
          may("6.export") ? () => exportList(exportLines, { params: { id }, query: { part } }, []) : undefined
        }
      />
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <LinesTable lines={data.list} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
      <Pager
        pageNo={page.no}
        pageSize={page.size}
        total={data?.total ?? counts[part]}
        set={(no, size) => setPage({ no, size })}
      />
    </>
  );
}
