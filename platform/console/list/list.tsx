import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useAct } from "../calls/mutation.ts";
import { type Action, type Actions, ActionButtons, permitted } from "../parts/actions.tsx";
import { useRefresh } from "../calls/mutation.ts";
import { Button } from "../parts/button.tsx";
import { Cards, Faces, type Card } from "./cards.tsx";
import { Chips } from "../filter/chips.tsx";
import { chosen, columns as ready, type Choice, type Column } from "./columns.tsx";
import { ColumnSet } from "./column-settings.tsx";
import type { Call } from "../../kernel/call.ts";
import type { ExportCall } from "../../kernel/export.ts";
import { extraOf, PAGE_SIZES } from "../../kernel/paging.ts";
import { exportList } from "./exporting.ts";
import { declared, keysOf, queryOf, withUsual, type Filter, type Shown } from "../filter/filter.ts";
import { Filters } from "../filter/filters.tsx";
import { ListContext } from "./list-context.ts";
import { ListTabs, type TabsOf, useTabCounts } from "./list-tabs.tsx";
import { useKept, usePhone } from "../filter/stored-choice.ts";
import { useAddress, usePage, type Patch } from "../screens/page.ts";
import { lastPage } from "./page-numbers.ts";
import { Pager } from "./pager.tsx";
import { may } from "../session/permits.ts";
import { usePicked } from "./picked.ts";
import { useRows } from "./rows.ts";
import { shapeOf, type ListCall, type QueryKey, type Row } from "./list-schema.ts";
import { idOf, Sheet, type Density, type Sorting } from "./sheet.tsx";
import { Broken, Empty, RowsSkeleton, Stale } from "../parts/states.tsx";
import { Toolbar, type Batch } from "./toolbar.tsx";

const NOTHING: never[] = [];
/** Rows that are asked for at once. */
const MOST = PAGE_SIZES.at(-1)!;

/** A form or dialog over the list. */
type Opened = (close: () => void) => ReactNode;

export type ListProps<C extends ListCall> = {
  call: C;
  /** Path parameters of the call. */
  params?: Record<string, string | number>;
  /** Parts of the query that the page fixes and nobody can change. */
  fixed?: Record<string, unknown>;
  columns: readonly Column<Row<C>>[];
  /** Filters of the call by name, the first four in the line. */
  filters?: readonly (Shown<QueryKey<C>> | Filter<QueryKey<C>>)[];
  tabs?: TabsOf;
  /** Order while nobody has chosen one; the head shows it. */
  sort?: Sorting & { sort: string };
  toolbar?: Actions;
  /** The main thing to do: a new record, by the form that opens for it. */
  adds?: { label?: string; does: Call; form: Opened };
  /** Records from a sheet, by the dialog that takes one. */
  imports?: { does: Call; form: Opened };
  rowActions?: (row: Row<C>) => Actions;
  /** What a row shows below itself when it is opened. */
  expand?: (row: Row<C>) => ReactNode;
  batch?: readonly Batch<Row<C>>[];
  /** What of the picked rows is worth saying, such as their sum. */
  pickedNote?: (rows: readonly Row<C>[]) => string;
  /** The record of ?id= beside the list. */
  drawer?: (id: number) => ReactNode;
  exportCall?: ExportCall;
  /** A chart drawn from the same filter, beside the table. `filter` sets filters on a click. */
  picture?: (query: Record<string, unknown>, filter: (patch: Patch) => void) => ReactNode;
  card?: Card<Row<C>>;
  /** What a record looks like as a card of a wall; then the toolbar offers the wall beside the table. */
  face?: (row: Row<C>) => ReactNode;
  /** What is counted: 笔, 间, 份. */
  unit?: string;
  /** Beside the sums: what they are over, and what no column shows of them. */
  sumNote?: string | ((sums: Record<string, unknown>) => string);
  /** First use: what this page is for. */
  emptyText?: ReactNode;
};

/** A list of records: everything a list page shows, from a call and a few words. All that is chosen lives in the address. */
export function ListPage<C extends ListCall>(props: ListProps<C>) {
  type R = Row<C> & object;
  const { call, unit = "条", adds, imports } = props;
  const [opened, setOpened] = useState<Opened>();
  const toolbar: Actions = [
    adds && {
      label: adds.label ?? adds.does.summary,
      icon: "plus",
      main: true,
      does: adds.does,
      run: () => setOpened(() => adds.form),
    },
    imports && {
      label: "导入",
      icon: "upload",
      does: imports.does,
      run: () => setOpened(() => imports.form),
    },
    ...(props.toolbar ?? []),
  ];
  const filters = useMemo(() => declared(call, props.filters ?? []), [call, props.filters]);
  const [address, set] = useAddress();
  const { path, active } = usePage();
  const refresh = useRefresh();
  const phone = usePhone();
  // a page may have several lists
  const one = `${path} ${call.path}`;
  const [choice, setChoice] = useKept<Choice | undefined>(`columns.${one}`, undefined);
  const [density, setDensity] = useKept<Density>("density", "normal");
  const [pageSize, setPageSize] = useKept<number>("pageSize", 20);
  const [pictured, setPictured] = useKept<boolean>(`picture.${one}`, innerWidth >= 1600);
  const [faced, setFaced] = useKept<boolean>(`faces.${one}`, false);
  const [shownMore, setShownMore] = useState(1);

  const known = useMemo(() => new Set(Object.keys(shapeOf(call.query))), [call]);
  const sorting: Sorting = address.get("sort")
    ? { sort: address.get("sort"), order: address.get("order") === "asc" ? "asc" : "desc" }
    : (props.sort ?? { sort: null, order: "desc" });
  const filled = withUsual(filters, address).toString();
  const standing = useMemo(() => new URLSearchParams(filled), [filled]);
  const query: Record<string, unknown> = {
    pageSize: phone ? Math.min(MOST, pageSize * shownMore) : pageSize,
    ...(sorting.sort && sorting),
    ...queryOf(standing, known, props.fixed ?? {}),
    // cards have no pages, they grow
    ...(phone && { pageNo: undefined }),
  };
  if (props.tabs && !props.tabs.items.some((t) => t.key === address.get(props.tabs!.key)))
    query[props.tabs.key] = props.tabs.items[0]?.key || undefined;
  const all = useMemo(() => ready<R>(call, props.columns as readonly Column<R>[]), [call, props.columns]);
  const arranged = chosen(all, choice);
  const shown = arranged.filter((a) => a.on).map((a) => a.column);
  const extra = extraOf(call.query).filter((key) => shown.some((c) => c.key === key && !c.own));
  if (extra.length) query["also"] = extra.join(",");
  const { data, totals, counting, recount, error, isPending, isPlaceholderData, refetch, asOf } = useRows<R>(
    call,
    props.params ?? {},
    query,
    known.has("want"),
  );
  const rows = data?.list ?? NOTHING;
  const pageNo = Number(address.get("pageNo") ?? 1);
  const counted = counting ? undefined : (totals?.total ?? undefined);
  const last = counted === undefined ? undefined : lastPage(counted, Number(query["pageSize"]));
  // what stood on the last page is gone: the one before is the last now
  const beyond = !phone && data && !isPlaceholderData && !rows.length && last && pageNo > last;
  useEffect(() => {
    if (beyond && active) set({ pageNo: last > 1 ? last : undefined });
  }, [beyond, active, last, set]);
  const picked = usePicked<R>(rows);
  const openId = Number(address.get("id")) || undefined;
  const open = (id: number | undefined) => set({ id }, { push: openId === undefined });
  const asked = address.get("action");
  const act = useAct();
  useEffect(() => {
    if (asked !== "1" || !active) return;
    set({ action: undefined });
    const start = permitted(toolbar).find((a) => a.main && !a.why);
    start?.run(act);
  });

  const keys = filters.flatMap((f) => keysOf(f));
  const filtered = keys.some((k) => address.get(k));
  const clear = () => set(Object.fromEntries(keys.map((k) => [k, undefined])));
  const elsewhere = Object.values(useTabCounts(props.tabs, query) ?? {}).some(Boolean);
  const empty = filtered ? (
    <Empty text="没有符合条件的记录">
      <Button run={clear}>清除筛选</Button>
    </Empty>
  ) : (
    <Empty text={elsewhere ? "该分类下没有记录" : (props.emptyText ?? "还没有记录")}>
      <ActionButtons
        actions={toolbar.filter((a) => a && a.main).map((a) => ({ ...(a as Action), main: false }))}
      />
    </Empty>
  );
  const shownRows = {
    rows,
    columns: shown,
    sums: totals?.sums ?? undefined,
    total: counting ? undefined : (totals?.total ?? rows.length),
    unit,
    actions: props.rowActions as ((row: R) => Actions) | undefined,
    onOpen: props.drawer && ((row: R) => open(idOf(row))),
    empty,
  };
  const full = rows.length >= Number(query["pageSize"]);
  const left = shownRows.total === undefined ? full : rows.length < shownRows.total;
  const { exportCall } = props;
  const save = (call: ExportCall, more: object = {}) =>
    exportList(call, { params: props.params, query: { ...query, ...more } }, [
      ...new Set(shown.flatMap((c) => c.fields.split(","))),
    ]);
  const onExport = exportCall && may(exportCall.needs) ? () => save(exportCall) : undefined;
  const batch = [
    ...((props.batch ?? []) as readonly Batch<R>[]),
    ...(props.batch && exportCall
      ? [
          {
            label: "导出所选",
            need: exportCall.needs,
            run: (of: readonly R[]) => save(exportCall, { picked: of.map(idOf).join(",") }),
          } satisfies Batch<R>,
        ]
      : []),
  ].filter((b: Batch<R>) => may(b.need ?? b.does?.needs));
  const fresh = new Date(asOf).toTimeString().slice(0, 5);
  return (
    <div className="list">
      {props.tabs && <ListTabs tabs={props.tabs} address={address} query={query} set={set} />}
      {filters.length > 0 && <Filters filters={filters} params={standing} set={set} />}
      <Chips filters={filters} params={address} set={set} fresh={data && fresh} />
      {error && data && <Stale at={fresh} retry={() => void refetch()} />}
      {phone && (adds || imports || props.toolbar) && (
        <div className="cards__tools">
          <ActionButtons actions={toolbar} />
        </div>
      )}
      {phone ? (
        data ? (
          <Cards
            {...shownRows}
            columns={props.card ? all : shown}
            card={props.card as Card<R> | undefined}
            recount={recount}
            more={left && pageSize * shownMore < MOST ? () => setShownMore(shownMore + 1) : undefined}
          />
        ) : error ? (
          <Broken error={error} retry={refetch} />
        ) : (
          <RowsSkeleton />
        )
      ) : (
        <section className="card list__table stack fill">
          <Toolbar
            actions={toolbar}
            batch={batch.map((b) => ({
              label: b.label,
              why: b.why?.(picked.rows),
              run: () => picked.start(b.run),
            }))}
            picked={
              picked.ids.length > 0 &&
              [`已选 ${picked.ids.length} ${unit}`, props.pickedNote?.(picked.rows)]
                .filter(Boolean)
                .join("，")
            }
            onUnpick={picked.unpick}
            onExport={onExport}
            density={density}
            onDensity={setDensity}
            columnSet={<ColumnSet columns={arranged} set={setChoice} />}
            picture={props.picture && pictured}
            onPicture={() => setPictured(!pictured)}
            faces={props.face && faced}
            onFaces={() => setFaced(!faced)}
            onRefresh={refresh}
          />
          <div className="split fill">
            {error && !data ? (
              <Broken error={error} retry={refetch} />
            ) : isPending ? (
              <RowsSkeleton rows={14} />
            ) : props.face && faced ? (
              <Faces {...shownRows} face={props.face as (row: R) => ReactNode} />
            ) : (
              <Sheet<R>
                {...shownRows}
                density={density}
                stale={isPlaceholderData}
                sumNote={
                  typeof props.sumNote === "function"
                    ? props.sumNote((totals?.sums ?? {}) as Record<string, unknown>)
                    : (props.sumNote ?? "按当前筛选的全部记录")
                }
                sorting={sorting}
                onSort={({ sort, order }) => set({ sort, order: sort && order, pageNo: undefined })}
                opened={openId}
                picked={batch.length ? picked.ids : undefined}
                onPick={(_, picks) => picked.pick(picks)}
                expand={props.expand as ((row: R) => ReactNode) | undefined}
              />
            )}
            {props.picture && pictured && (
              <aside className="split__pic">
                {props.picture(query, (patch) => set({ ...patch, pageNo: undefined }))}
              </aside>
            )}
          </div>
          <Pager
            pageNo={pageNo}
            pageSize={Number(query["pageSize"])}
            total={shownRows.total}
            full={full}
            recount={recount}
            set={(pageNo, size) => {
              setPageSize(size);
              set({ pageNo: pageNo > 1 ? pageNo : undefined, pageSize: undefined });
            }}
          />
        </section>
      )}
      {props.drawer && openId !== undefined && (
        <ListContext value={{ ids: rows.map(idOf), at: openId, open, close: () => open(undefined) }}>
          {props.drawer(openId)}
        </ListContext>
      )}
      {opened?.(() => setOpened(undefined))}
    </div>
  );
}
