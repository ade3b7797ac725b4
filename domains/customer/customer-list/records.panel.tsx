import { useState, type ReactNode } from "react";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import { BlackEntries, BlackForm } from "../blacklist/entry.form.tsx";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import { NAMED, PAGE, writingTo } from "../push/push.rules.ts";

type Row = { id: number; name: string; black: "none" | "warn" | "forbid" };
type Open = { what: "add" | "entries"; of: Row };

/** What can be done with a customer of whatever kind: write to them, and keep the black list. */
export function useAround(kind: ChoiceKind): {
  of: (row: Row) => (Action | false)[];
  batch: Batch<Row>;
  layer: ReactNode;
} {
  const go = useGo();
  const [open, setOpen] = useState<Open>();
  const write = (rows: readonly Row[]) =>
    go(
      PAGE,
      writingTo(
        kind,
        rows.map((row) => row.id),
      ),
    );
  const close = () => setOpen(undefined);
  return {
    of: (row) => [
      reach(PAGE) !== undefined && { label: "发消息", need: "18.add", run: () => write([row]) },
      {
        label: "加入黑名单",
        need: "170.add",
        danger: true,
        why: row.black === "forbid" ? "该客户已在黑名单中" : undefined,
        run: () => setOpen({ what: "add", of: row }),
      },
      row.black !== "none" && {
        label: "黑名单记录",
        need: ["170.query", "170.add", "#17001"],
        run: () => setOpen({ what: "entries", of: row }),
      },
    ],
    batch: {
      label: "发消息",
      need: "18.add",
      why: (rows) => (rows.length > NAMED ? `一次最多${NAMED}人` : undefined),
      run: write,
    },
    layer:
      open?.what === "add" ? (
        <BlackForm of={open.of} onClose={close} />
      ) : open ? (
        <BlackEntries of={open.of} onClose={close} />
      ) : null,
  };
}
