import { Table, Tooltip } from "antd";
import { useRef, useLayoutEffect, type ReactNode, type RefObject } from "react";
import { permitted, RowActions, type Actions } from "../parts/actions.tsx";
import { Cell } from "./cell.tsx";
import type { Ready } from "./columns.tsx";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { lookOf } from "../parts/kinds.tsx";

/**
 * Keeps columns of a table that scrolls sideways whole: the first one that does not fit begins below the edge (that of the
 * box, or of the column that stays in view), and those before it share the room. Half an amount reads like another amount.
 */
function useWholeColumns(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const scroll = box.current?.querySelector<HTMLElement>(".ant-table-content");
    if (!scroll) return;
    const fit = () => {
      const heads = [...scroll.querySelectorAll<HTMLElement>("thead tr:first-child > th")];
      for (const head of heads) head.style.minWidth = "";
      if (scroll.scrollWidth <= scroll.clientWidth) return;
      const staying = (head: HTMLElement) => head.classList.contains("ant-table-cell-fix");
      const last = heads.at(-1)!;
      // measured from where the table begins, as if nobody had scrolled
      const edge = scroll.clientWidth - (staying(last) ? last.offsetWidth : 0);
      const moving = heads.filter((head) => !staying(head));
      const cut = moving.findIndex((head) => head.offsetLeft + head.offsetWidth > edge + 1);
      if (cut < 1) return;
      const room = edge - moving[cut]!.offsetLeft;
      if (room <= 0) return;
      const widths = moving.slice(0, cut).map((head) => head.getBoundingClientRect().width);
      for (const [i, width] of widths.entries()) moving[i]!.style.minWidth = `${width + room / cut}px`;
    };
    fit();
    const watch = new ResizeObserver(fit);
    watch.observe(scroll);
    return () => watch.disconnect();
  });
}

export type Density = "normal" | "tight" | "loose";
export type Sums = Record<string, number | null | undefined>;
export type Sorting = { sort: string | null; order: "asc" | "desc" };

type Props<R> = {
  rows: readonly R[];
  columns: readonly Ready<R>[];
  density: Density;
  stale: boolean;
  sums: Sums | undefined;
  total: number;
  unit: string;
  sumNote: string;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  opened: number | undefined;
  onOpen: ((row: R) => void) | undefined;
  actions: ((row: R) => Actions) | undefined;
  picked: readonly number[] | undefined;
  onPick: (ids: number[], rows: R[]) => void;
  expand?: ((row: R) => ReactNode) | undefined;
  empty: ReactNode;
};

export const idOf = (row: unknown): number => (row as { id: number }).id;

/** What people call the record: what its first column says as a text. */
const nameOf = <R,>(row: R, columns: readonly Ready<R>[]): string => {
  const all = row as Record<string, unknown>;
  const [said] = [all[columns[0]?.key ?? ""], all["no"], all["name"]].filter(
    (v) => typeof v === "string" && v,
  );
  return String(said ?? idOf(row));
};

/** Up and down go from row to row, Enter opens the one that has the focus. */
function walk(event: React.KeyboardEvent<HTMLElement>, open: (() => void) | undefined): void {
  const row = event.currentTarget;
  if (event.target !== row) return;
  const step = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
  if (event.key === "Enter") open?.();
  else if (step instanceof HTMLElement && step.hasAttribute("tabindex")) step.focus();
  else return;
  event.preventDefault();
}

/** The table: one box that scrolls inside itself, with sticky head, sums, first and last column. */
export function Sheet<R extends object>(props: Props<R>) {
  const { rows, actions } = props;
  // who may do nothing with any of the rows has no column for it
  const idle =
    actions !== undefined && rows.length > 0 && !rows.some((row) => permitted(actions(row)).length);
  const p = idle ? { ...props, actions: undefined } : props;
  const box = useRef<HTMLDivElement>(null);
  useWholeColumns(box);
  const columns = p.columns.map((c, i) => ({
    key: c.key,
    dataIndex: c.key,
    title: <Head column={c} />,
    align: c.right ? ("right" as const) : ("left" as const),
    onHeaderCell: () => ({ "aria-label": c.meta.title }),
    ...(c.width !== undefined && { width: c.width }),
    ...(i === 0 && { fixed: "start" as const }),
    ...(c.sorted && {
      sorter: true,
      sortOrder: p.sorting.sort === c.key ? (`${p.sorting.order}end` as "ascend" | "descend") : null,
      showSorterTooltip: false,
      sortIcon: ({ sortOrder }: { sortOrder: string | null }) =>
        sortOrder ? <Icon name={sortOrder === "ascend" ? "ascending" : "descending"} size={12} /> : null,
    }),
    render: (_: unknown, row: R) => <Cell column={c} row={row} onOpen={i === 0 ? p.onOpen : undefined} />,
  }));
  const acts = p.actions && {
    key: "-actions",
    title: "操作",
    className: "c-act",
    fixed: "end" as const,
    render: (_: unknown, row: R) => <RowActions actions={p.actions!(row)} />,
  };
  const selection = p.picked && {
    // as `rowKey` has them
    selectedRowKeys: p.picked.map(String),
    onChange: (keys: React.Key[], rows: R[]) => p.onPick(keys.map(Number), rows),
    getCheckboxProps: (row: R) => ({ "aria-label": `选择 ${nameOf(row, p.columns)}` }),
    getTitleCheckboxProps: () => ({ "aria-label": "全选本页" }),
    columnWidth: 40,
    fixed: "start" as const,
  };
  return (
    <div ref={box} className={`sheet sheet--${p.density} ${p.stale ? "sheet--stale" : ""}`}>
      {p.stale && <div className="sheet__bar" />}
      <Table<R>
        rowKey={(row) => String(idOf(row))}
        dataSource={[...p.rows]}
        columns={acts ? [...columns, acts] : columns}
        pagination={false}
        scroll={{ x: "max-content" }}
        locale={{ emptyText: p.empty }}
        onRow={(row, i) => ({
          tabIndex: i === 0 ? 0 : -1,
          onKeyDown: (event) => walk(event, p.onOpen && (() => p.onOpen!(row))),
        })}
        rowClassName={(row) => (idOf(row) === p.opened ? "sheet__open" : "")}
        {...(selection && { rowSelection: selection })}
        {...(p.expand && { expandable: opening(p.expand, (row) => nameOf(row, p.columns)) })}
        onChange={(_page, _filters, sorter) => {
          const one = Array.isArray(sorter) ? sorter[0] : sorter;
          p.onSort({
            sort: one?.order ? String(one.columnKey) : null,
            order: one?.order === "ascend" ? "asc" : "desc",
          });
        }}
        {...(p.sums && p.rows.length > 0 && { summary: () => <SumRow {...p} sums={p.sums!} /> })}
      />
    </div>
  );
}

/** A row that opens, by a button in front of it. */
const opening = <R extends object>(expand: (row: R) => ReactNode, named: (row: R) => string) => ({
  expandedRowRender: expand,
  columnWidth: 36,
  fixed: "start" as const,
  expandIcon: ({
    expanded,
    record,
    onExpand,
  }: {
    expanded: boolean;
    record: R;
    onExpand: (record: R, event: never) => void;
  }) => (
    <IconButton
      icon={expanded ? "down" : "right"}
      size={12}
      small
      label={`${expanded ? "收起" : "展开"} ${named(record)}`}
      run={() => onExpand(record, undefined as never)}
    />
  ),
});

const Head = <R,>({ column: { meta } }: { column: Ready<R> }) =>
  meta.help ? (
    <Tooltip title={meta.help}>
      <span className="head-help">
        {meta.title} <Icon name="info" size={12} />
      </span>
    </Tooltip>
  ) : (
    meta.title
  );

/** Sums over the whole filter, under their columns. */
function SumRow<R extends object>({
  columns,
  picked,
  expand,
  actions,
  sums,
  total,
  unit,
  sumNote,
}: Props<R> & { sums: Sums }) {
  const first = columns.slice(1).findIndex((c) => sums[c.key] !== undefined);
  const gap = first < 0 ? columns.length - 1 : first;
  const offset = (picked ? 1 : 0) + (expand ? 1 : 0);
  const Cells = Table.Summary.Cell;
  return (
    <Table.Summary fixed>
      <Table.Summary.Row>
        {offset > 0 && <Cells index={0} colSpan={offset} />}
        <Cells index={offset}>
          合计 {total.toLocaleString("en-US")} {unit}
        </Cells>
        {gap > 0 && (
          <Cells index={offset + 1} colSpan={gap}>
            <span className="sheet__note">{gap > 1 ? sumNote : ""}</span>
          </Cells>
        )}
        {columns.slice(1 + gap).map((c, i) => (
          <Cells key={c.key} index={offset + 1 + gap + i} className={c.right ? "num" : ""}>
            {sums[c.key] === undefined ? null : lookOf(c.meta, sums[c.key])}
          </Cells>
        ))}
        {actions && <Cells index={offset + columns.length} className="c-act" />}
      </Table.Summary.Row>
    </Table.Summary>
  );
}
