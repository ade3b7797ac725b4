import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import { FinishForm } from "./result.form.tsx";
import { assignViewing, cancelViewing, confirmViewing, getViewing, missViewing } from "./viewing.contract.ts";
import { AssignForm, CancelForm, MoveForm, type ViewingRow } from "./viewing.form.tsx";
import { RESULTS, VIEWING_MOVES, VIEWING_STATES } from "./viewing.rules.ts";

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

const BOOKING = "/configuration/BookingManagement";

/** One appointment: who comes when, to which rooms, with whom, and what came of it. */
export const ViewingDrawer = ({ id, acts }: { id: number; acts: ViewingActs }) => (
  <Detail
    call={getViewing}
    sent={{ params: { id } }}
    title={(v) => `${v.name} ${v.number}`}
    tags={(v) => (
      <>
        <WordTag words={VIEWING_STATES} code={v.state} />
        {v.result && <WordTag words={RESULTS} code={v.result} dot={false} />}
      </>
    )}
    facts={[
      "phone",
      "villageName",
      "at",
      "minutes",
      { key: "assigneeName", show: (v) => v.assigneeName || "待指派" },
      "source",
      {
        key: "leadNumber",
        show: (v) => {
          const to = v.leadId ? reach(BOOKING, { tab: "all", id: v.leadId }) : undefined;
          return v.leadNumber ? to ? <Link to={to}>{v.leadNumber}</Link> : v.leadNumber : NONE;
        },
      },
      { key: "productName", show: (v) => v.productName ?? NONE },
      "createdAt",
      {
        title: "房间",
        wide: true,
        show: (v) =>
          v.roomList.length
            ? v.roomList.map((r) => (
                <div key={r.id}>
                  <Link to={reach("/configuration/apartment", { room: r.id }) ?? "#"}>{r.name}</Link>
                  {r.result && (
                    <>
                      {" "}
                      <WordTag words={RESULTS} code={r.result} dot={false} />
                    </>
                  )}
                  {r.feedback && <span className="dim">　{r.feedback}</span>}
                </div>
              ))
            : NONE,
      },
      { key: "feedback", wide: true, show: (v) => v.feedback || NONE },
      { key: "remark", wide: true, show: (v) => v.remark || NONE },
      { key: "cancelReason", wide: true, show: (v) => v.cancelReason || NONE },
    ]}
    actions={(v) => acts.of(v).map((a, i) => a && { ...a, main: i < 2 && !a.why && !a.danger })}
    tabs={[{ key: "log", title: "日志", view: (v) => <RecordLog kind="viewing" id={v.id} /> }]}
    slot="viewing.tabs"
  />
);
