import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { confirmViewing, missViewing, assignViewing, cancelViewing } from "./viewing.contract.ts";
import { FinishForm } from "./result.form.tsx";
import { AssignForm, CancelForm, MoveForm, type ViewingRow } from "./viewing.form.tsx";
import { VIEWING_MOVES } from "./viewing.rules.ts";

const FORMS = { view: FinishForm, move: MoveForm, assign: AssignForm, cancel: CancelForm } as const;
export type ViewingActs = { of: (v: ViewingRow) => Actions; layer: ReactNode };

/** What can be done with an appointment, with the sentence where it cannot, and the layer that an act has opened. */
export function useViewingActs(): ViewingActs {
  const act = useAct();
  const [open, setOpen] = useState<{ key: keyof typeof FORMS; of: ViewingRow }>();
  const of = (v: ViewingRow): Actions => {
    const coming = v.state === "pending" || v.state === "confirmed";
    if (!coming) return [];
    const early = Date.parse(v.at) > Date.now() ? "还未到看房时间" : undefined;
    const sent = { params: { id: v.id }, body: { version: v.version } };
    const why = (move: "confirm" | "move" | "view" | "noShow" | "cancel") =>
      VIEWING_MOVES.refusal(move, { ...v, status: v.state });
    return [
      v.state === "pending" && {
        label: "确认",
        does: confirmViewing,
        why: why("confirm"),
        run: () => act(confirmViewing, sent, { done: "已确认" }),
      },
      {
        label: "看房完成",
        need: "15.edit",
        why: early ?? why("view"),
        run: () => setOpen({ key: "view", of: v }),
      },
      { label: "改期", need: "15.edit", why: why("move"), run: () => setOpen({ key: "move", of: v }) },
      { label: "指派", does: assignViewing, run: () => setOpen({ key: "assign", of: v }) },
      {
        label: "未到",
        does: missViewing,
        why: early ?? why("noShow"),
        run: () =>
          act(missViewing, sent, {
            done: "已登记未到",
            ask: { title: "登记未到", body: `${v.name}没有来看房，确定吗？`, ok: "登记未到" },
          }),
      },
      {
        label: "取消看房",
        does: cancelViewing,
        danger: true,
        why: why("cancel"),
        run: () => setOpen({ key: "cancel", of: v }),
      },
    ];
  };
  const Form = open && FORMS[open.key];
  return { of, layer: Form && <Form of={open.of} onClose={() => setOpen(undefined)} /> };
}
