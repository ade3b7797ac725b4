import { Table, Tooltip, type GetRef } from "antd";
import {
  createContext,
  memo,
  use,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from "react";
import { permitted, RowActions, type Actions } from "../parts/actions.tsx";
import { Cell } from "./cell.tsx";
import { type Ready, sameColumns } from "./columns.tsx";
import { countText } from "./page-numbers.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { lookOf } from "../parts/kinds.tsx";

/**
 * Keeps columns of a table that scrolls sideways whole: the first one that does not fit begins below the edge (that of the
 * box, or of the column that stays in view), and those before it share the room. Half an amount reads like another amount.
 */
function fitWhole(scroll: HTMLElement): void {
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
}

/** Fits a table whenever it has been drawn or its box has another size: once it is laid out, before it is painted. */
function useWholeColumns(table: RefObject<GetRef<typeof Table> | null>): void {
  useLayoutEffect(() => {
    const scroll = table.current?.nativeElement.querySelector<HTMLElement>(".ant-table-content");
    if (!scroll) return;
    const watch = new ResizeObserver(() => fitWhole(scroll));
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
  /** undefined while it is counted; the sums are then those of the filter before. */
  total: number | undefined;
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

type Live<R> = Pick<Props<R>, "actions" | "expand" | "opened" | "columns">;

/** What the page as it stands draws in its rows: they follow it without the table being drawn anew. */
const Live = createContext<Live<never>>({
  actions: undefined,
  expand: undefined,
  opened: undefined,
  columns: [],
});
const useLive = <R,>() => use(Live) as unknown as Live<R>;

const Row = (props: ComponentProps<"tr"> & { "data-row-key"?: string }) => {
  const open = props["data-row-key"] === String(useLive().opened);
  return <tr {...props} className={`${props.className ?? ""}${open ? " sheet__open" : ""}`} />;
};
/** A cell that the page draws, or links, itself; `at` is its column. */
const Drawn = <R,>({ at, ...cell }: { at: number } & Omit<ComponentProps<typeof Cell<R>>, "column">) => (
  <Cell column={useLive<R>().columns[at]!} {...cell} />
);
const Offered = <R,>({ row }: { row: R }) => <RowActions actions={useLive<R>().actions?.(row) ?? []} />;
const Expanded = <R,>({ row }: { row: R }) => useLive<R>().expand?.(row);
const PARTS = { body: { row: Row } };

/** The table: one box that scrolls inside itself, with sticky head, sums, first and last column. */
export function Sheet<R extends object>(props: Props<R>) {
  const { rows, actions, expand, opened, columns, sorting } = props;
  const now = useRef(props);
  useLayoutEffect(() => {
    now.current = props;
  });
  const [shown, show] = useState(columns);
  const stand = sameColumns(shown as readonly Ready<never>[], columns as readonly Ready<never>[]);
  if (!stand) show(columns);
  // who may do nothing with any of the rows has no column for it
  const acts = actions !== undefined && !(rows.length && !rows.some((row) => permitted(actions(row)).length));
  return (
    <Live value={{ actions, expand, opened, columns } as unknown as Live<never>}>
      <div className={`sheet sheet--${props.density} ${props.stale ? "sheet--stale" : ""}`}>
        {props.stale && <div className="sheet__bar" />}
        <Grid<R>
          now={now}
          rows={rows}
          columns={stand ? shown : columns}
          picked={props.picked}
          sums={props.sums}
          total={props.total}
          unit={props.unit}
          sumNote={props.sumNote}
          sort={sorting.sort}
          order={sorting.order}
          opens={props.onOpen !== undefined}
          expands={expand !== undefined}
          acts={acts}
          empty={rows.length ? undefined : props.empty}
        />
      </div>
    </Live>
  );
}

type GridProps<R> = Pick<
  Props<R>,
  "rows" | "columns" | "picked" | "sums" | "total" | "unit" | "sumNote" | "empty"
> &
  Sorting & {
    /** The list as it stands when something is pressed. */
    now: RefObject<Props<R>>;
    opens: boolean;
    expands: boolean;
    acts: boolean;
  };

/** Hundreds of cells, drawn anew only when what they show has changed, and not whenever the page around them is. */
const Grid = memo(function Grid<R extends object>(p: GridProps<R>) {
  const { now } = p;
  const table = useRef<GetRef<typeof Table>>(null);
  useWholeColumns(table);
  const open = p.opens ? (row: R) => now.current.onOpen?.(row) : undefined;
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
      sortOrder: p.sort === c.key ? (`${p.order}end` as "ascend" | "descend") : null,
      showSorterTooltip: false,
      sortIcon: ({ sortOrder }: { sortOrder: string | null }) =>
        sortOrder ? <Icon name={sortOrder === "ascend" ? "ascending" : "descending"} size={12} /> : null,
    }),
    render: (_: unknown, row: R) =>
      c.plain && !c.to ? (
        <Cell column={c} row={row} onOpen={i === 0 ? open : undefined} />
      ) : (
        <Drawn<R> at={i} row={row} onOpen={i === 0 ? open : undefined} />
      ),
  }));
  const acts = p.acts && {
    key: "-actions",
    title: "操作",
    className: "c-act",
    fixed: "end" as const,
    render: (_: unknown, row: R) => <Offered row={row} />,
  };
  const selection = p.picked && {
    // as `rowKey` has them
    selectedRowKeys: p.picked.map(String),
    onChange: (keys: React.Key[], rows: R[]) => now.current.onPick(keys.map(Number), rows),
    getCheckboxProps: (row: R) => ({ "aria-label": `选择 ${nameOf(row, p.columns)}` }),
    getTitleCheckboxProps: () => ({ "aria-label": "全选本页" }),
    columnWidth: 40,
    fixed: "start" as const,
  };
  return (
    <Table<R>
      ref={table}
      rowKey={(row) => String(idOf(row))}
      components={PARTS}
      dataSource={[...p.rows]}
      columns={acts ? [...columns, acts] : columns}
      pagination={false}
      scroll={{ x: "max-content" }}
      locale={{ emptyText: p.empty }}
      onRow={(row, i) => ({
        tabIndex: i === 0 ? 0 : -1,
        onKeyDown: (event) => walk(event, open && (() => open(row))),
      })}
      {...(selection && { rowSelection: selection })}
      {...(p.expands && { expandable: opening<R>((row) => nameOf(row, p.columns)) })}
      onChange={(_page, _filters, sorter) => {
        const one = Array.isArray(sorter) ? sorter[0] : sorter;
        now.current.onSort({
          sort: one?.order ? String(one.columnKey) : null,
          order: one?.order === "ascend" ? "asc" : "desc",
        });
      }}
      {...(p.sums && p.rows.length > 0 && { summary: () => <SumRow {...p} sums={p.sums!} /> })}
    />
  );
}) as <R extends object>(p: GridProps<R>) => ReactNode;

/** A row that opens, by a button in front of it. */
const opening = <R extends object>(named: (row: R) => string) => ({
  expandedRowRender: (row: R) => <Expanded row={row} />,
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
  expands,
  acts,
  sums,
  total,
  unit,
  sumNote,
}: GridProps<R> & { sums: Sums }) {
  const first = columns.slice(1).findIndex((c) => sums[c.key] !== undefined);
  const gap = first < 0 ? columns.length - 1 : first;
  const offset = (picked ? 1 : 0) + (expands ? 1 : 0);
  const Cells = Table.Summary.Cell;
  return (
    <Table.Summary fixed>
      <Table.Summary.Row className={total === undefined ? "stale" : ""}>
        {offset > 0 && <Cells index={0} colSpan={offset} />}
        <Cells index={offset}>
          合计 {countText(total)} {unit}
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
        {acts && <Cells index={offset + columns.length} className="c-act" />}
      </Table.Summary.Row>
    </Table.Summary>
  );
}
