import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { Call } from "../../kernel/call.ts";
import { useRefresh } from "../calls/mutation.ts";
import { ask } from "../calls/request.ts";
import { Foot } from "../form/form-foot.tsx";
import { Button } from "../parts/button.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Broken, RowsSkeleton } from "../parts/states.tsx";
import type { Column } from "./columns.tsx";
import { shapeOf } from "./list-schema.ts";
import { RowTable } from "./row-table.tsx";

const EVERY_MS = 1000;

/** A job over many records, each done by itself: how far it is, and what became of each. */
export type Run = {
  state: "running" | "done";
  percent: number;
  rows: readonly { state: "waiting" | "done" | "refused" }[];
};

type ResultProps<T extends Run> = {
  title: string;
  /** Answers the run of an id. */
  call: Call;
  id: number;
  /** What is said over the rows; so many are done, so many were refused. */
  said: (run: T, done: number, refused: number) => ReactNode;
  columns: readonly Column<T["rows"][number]>[];
  onClose: () => void;
};

/** How far a run is, then what became of each; what else is on screen follows once it is over. */
export function RunDrawer<T extends Run>({ title, onClose, ...of }: ResultProps<T>) {
  return (
    <Drawer
      title={title}
      width={960}
      modal
      onClose={onClose}
      footer={<Foot cancel={onClose} note={null} ok="知道了" run={onClose} />}
    >
      <Result {...of} />
    </Drawer>
  );
}

function Result<T extends Run>({ call, id, said, columns }: Omit<ResultProps<T>, "title" | "onClose">) {
  const refresh = useRefresh();
  const { data, error, refetch } = useQuery({
    ...ask(call, { params: { id } } as never),
    refetchInterval: ({ state }) => ((state.data as T | undefined)?.state === "done" ? false : EVERY_MS),
  });
  const run = data as T | undefined;
  const over = run?.state === "done";
  useEffect(() => {
    if (over) void refresh();
    // once, when it is over
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [over]);
  if (error && !run) return <Broken error={error} retry={refetch} />;
  if (!run) return <RowsSkeleton rows={6} />;
  const count = (state: "done" | "refused") => run.rows.filter((row) => row.state === state).length;
  return (
    <div className="stack gap-6">
      <p role="status">{said(run, count("done"), count("refused"))}</p>
      <RowTable<T["rows"][number]> schema={shapeOf(call.reply)["rows"]!} rows={run.rows} columns={columns} />
    </div>
  );
}

type RunsProps<T extends { id: number }> = {
  title: string;
  /** Answers the runs that somebody started, the newest first. */
  call: Call;
  query?: Record<string, unknown>;
  columns: readonly Column<T>[];
  emptyText: string;
  /** The one that is looked at. */
  result: (id: number, close: () => void) => ReactNode;
  onClose: () => void;
};

/** What somebody asked for of many before; each opens with what became of it. */
export function RunsDrawer<T extends { id: number }>({
  title,
  call,
  query = {},
  columns,
  emptyText,
  result,
  onClose,
}: RunsProps<T>) {
  const [open, setOpen] = useState<number>();
  if (open) return result(open, () => setOpen(undefined));
  const look: Column<T> = {
    own: "open",
    title: "",
    width: 72,
    show: (row) => (
      <Button look="text" run={() => setOpen(row.id)}>
        查看
      </Button>
    ),
  };
  return (
    <Drawer title={title} width={800} modal onClose={onClose}>
      <Loaded call={call} sent={{ query } as never} lines={6}>
        {(rows) => (
          <RowTable<T>
            schema={call.reply!}
            rows={rows as unknown as T[]}
            columns={[...columns, look]}
            emptyText={emptyText}
          />
        )}
      </Loaded>
    </Drawer>
  );
}
