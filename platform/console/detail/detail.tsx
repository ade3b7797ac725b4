import { Arriving } from "../screens/arriving.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Call, Need, Reply, Sent } from "../../kernel/call.ts";
import { ActionButtons, type Actions } from "../parts/actions.tsx";
import { IconButton } from "../parts/button.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts, MoneyStrip, type Fact, type StripItem } from "./facts.tsx";
import { History } from "./history.tsx";
import { useList } from "../list/list-context.ts";
import { panelOf } from "../screens/load.tsx";
import { useAddress, useGo } from "../screens/page.ts";
import { may } from "../session/permits.ts";
import { sendWire } from "../calls/request.ts";
import { useSlot } from "../screens/slots.ts";
import { Broken, RowsSkeleton } from "../parts/states.tsx";
import { copy } from "../parts/toast.ts";
import { Underline } from "../parts/underline.tsx";

export type RecordTab<D> = {
  key: string;
  title: string;
  need?: Need;
  /** Only for such records. */
  when?: (data: D) => boolean;
  count?: (data: D) => ReactNode;
  view: (data: D) => ReactNode;
};

export type DetailProps<C extends Call> = {
  call: C;
  sent: Sent<C>;
  title: (data: Reply<C>) => string;
  tags?: (data: Reply<C>) => ReactNode;
  strip?: (data: Reply<C>) => readonly StripItem[];
  facts?: readonly Fact<Reply<C>>[];
  cols?: number;
  actions?: (data: Reply<C>) => Actions;
  /** 编辑, the main thing to do, by the form that opens for it. */
  edits?: { does: Call; form: (data: Reply<C>, close: () => void) => ReactNode };
  /** Between facts and tabs. */
  children?: (data: Reply<C>) => ReactNode;
  tabs?: readonly RecordTab<Reply<C>>[];
  /** Its kind in the log, for the tab 日志. */
  log?: string;
  /** Others may add tabs here; they get the record's id. */
  slot?: string;
  width?: number;
  /** Its page of its own; then the drawer offers to open it in a tab. */
  page?: string;
};

const idOf = (data: unknown): number => (data as { id?: number }).id ?? 0;

/** One record: beside its list as a drawer with its own address, or alone as a page. */
export function Detail<C extends Call>(p: DetailProps<C>) {
  const list = useList();
  const go = useGo();
  const { data, error, refetch } = useQuery({
    queryKey: [p.call.path, p.sent],
    queryFn: ({ signal }) => sendWire<Reply<C>>(p.call, p.sent as object, { signal }),
  });
  const title = data ? p.title(data) : "";
  const body = data ? (
    <Body {...p} data={data} />
  ) : error ? (
    <Broken error={error} retry={refetch} />
  ) : (
    <RowsSkeleton rows={6} />
  );
  const head = (
    <>
      <span className="cut">{title}</span>
      {title && <IconButton icon="copy" size={14} label="复制" run={() => copy(title)} />}
      {data && <span className="row">{p.tags?.(data)}</span>}
    </>
  );
  if (!list) {
    return (
      <section className="card record-page">
        <div className="drawer__bar row gap-2">
          <h2>{head}</h2>
        </div>
        <div className="drawer__body scroll">{body}</div>
      </section>
    );
  }
  const at = list.ids.indexOf(list.at);
  const beside = (step: number) => list.ids[at + step];
  const tools = (
    <>
      <IconButton
        icon="up"
        label="上一条"
        why={beside(-1) ? undefined : "已是本页第一条"}
        run={() => list.open(beside(-1)!)}
      />
      <IconButton
        icon="down"
        label="下一条"
        why={at >= 0 && beside(1) ? undefined : "已是本页最后一条"}
        run={() => list.open(beside(1)!)}
      />
      {p.page && <IconButton icon="open" label="在标签页中打开" run={() => go(p.page!, { id: list.at })} />}
    </>
  );
  return (
    <Drawer title={head} label={title || "详情"} width={p.width ?? 800} tools={tools} onClose={list.close}>
      {body}
    </Drawer>
  );
}

function Body<C extends Call>({ data, ...p }: DetailProps<C> & { data: Reply<C> }) {
  const { edits, log, tabs = [] } = p;
  const [editing, setEditing] = useState(false);
  const actions: Actions = [
    edits && { label: "编辑", main: true, does: edits.does, run: () => setEditing(true) },
    ...(p.actions?.(data) ?? []),
  ];
  const noted = { key: "log", title: "日志", view: (d: Reply<C>) => <History kind={log!} id={idOf(d)} /> };
  return (
    <div className="record">
      {p.strip && <MoneyStrip items={p.strip(data)} />}
      {p.facts && <Facts call={p.call} data={data} facts={p.facts} cols={p.cols ?? 3} />}
      {(p.actions || edits) && (
        <div className="acts">
          <ActionButtons actions={actions} say />
        </div>
      )}
      {p.children?.(data)}
      {editing && edits?.form(data, () => setEditing(false))}
      <RecordTabs data={data} tabs={log ? [...tabs, noted] : tabs} slot={p.slot} />
    </div>
  );
}

type RecordTabsProps<D> = { data: D; tabs: readonly RecordTab<D>[]; slot: string | undefined };

/** The record's own tabs and those that others put into its slot. The chosen one stands in the address as `part`. */
function RecordTabs<D>({ data, tabs, slot }: RecordTabsProps<D>) {
  const [address, set] = useAddress();
  const panels = useSlot(slot);
  const id = idOf(data);
  const own = tabs.filter((t) => may(t.need) && (t.when?.(data) ?? true));
  const item = (t: RecordTab<D>) => ({
    key: t.key,
    title: t.title,
    ...(t.count && { count: t.count(data) }),
  });
  const added = (first: boolean) =>
    panels.filter((p) => (p.first ?? false) === first).map((p) => ({ key: p.key, title: p.title }));
  // the history is the last tab, also where other domains add tabs
  const items = [
    ...added(true),
    ...own.filter((t) => t.key !== "log").map(item),
    ...added(false),
    ...own.filter((t) => t.key === "log").map(item),
  ];
  const on = items.find((i) => i.key === address.get("part"))?.key ?? items[0]?.key;
  if (on === undefined) return null;
  const panel = panels.find((p) => p.key === on);
  const Panel = panel && panelOf(panel);
  return (
    <div className="panels">
      <Underline small label="相关信息" items={items} on={on} onChange={(key) => set({ part: key })} />
      <div className="panels__body" role="tabpanel">
        <Arriving key={on} fallback={<RowsSkeleton rows={3} />}>
          {Panel ? <Panel id={id} /> : own.find((t) => t.key === on)?.view(data)}
        </Arriving>
      </div>
    </div>
  );
}
