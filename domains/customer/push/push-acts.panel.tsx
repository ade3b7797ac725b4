import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import {
  addPush,
  cancelPush,
  editPush,
  getPush,
  type listPushes,
  removePush,
  retryPush,
  stopPush,
  submitPush,
} from "./push.contract.ts";
import { PushForm } from "./push.form.tsx";
import { PUSH_MOVES } from "./push.rules.ts";

type Push = Pick<Row<typeof listPushes>, "id" | "title" | "state" | "failed" | "version" | "category">;
export type PushActs = { of: (push: Push) => Actions; layer: ReactNode };

/** What can be done with a task, and the form that an act has opened. */
export function usePushActs(): PushActs {
  const act = useAct();
  const [, set] = useAddress();
  const [open, setOpen] = useState<{ push: Reply<typeof getPush>; copy: boolean }>();

  const of = (p: Push): Actions => {
    const sent = { params: { id: p.id }, body: { version: p.version } };
    const why = (move: "submit" | "cancel" | "stop" | "retry") =>
      PUSH_MOVES.refusal(move, { ...p, status: p.state });
    const load = async (copy: boolean) =>
      setOpen({ push: await send(getPush, { params: { id: p.id } }), copy });
    const draft = p.state === "draft";
    return [
      draft && {
        label: "提交",
        does: submitPush,
        main: true,
        run: () =>
          act(submitPush, sent, {
            done: "已提交",
            ask: {
              title: "提交推送",
              body: `“${p.title}”提交后按设定的时间发送${p.category === "marketing" ? "，营销信息可能需要审批" : ""}，确定吗？`,
              ok: "提交",
            },
          }),
      },
      draft && { label: "编辑", does: editPush, run: () => load(false) },
      ["approving", "scheduled"].includes(p.state) && {
        label: "取消",
        does: cancelPush,
        danger: true,
        why: why("cancel"),
        run: () =>
          act(cancelPush, sent, {
            done: "已取消",
            ask: { title: "取消推送", body: `确定取消“${p.title}”吗？`, ok: "取消推送" },
          }),
      },
      p.state === "sending" && {
        label: "停止",
        does: stopPush,
        danger: true,
        run: () =>
          act(stopPush, sent, {
            done: "已停止",
            ask: {
              title: "停止推送",
              body: `已经发出的不能收回，未发送的不再发送。确定停止“${p.title}”吗？`,
              ok: "停止",
            },
          }),
      },
      p.failed > 0 &&
        ["partly", "stopped"].includes(p.state) && {
          label: "重发失败",
          does: retryPush,
          why: why("retry"),
          run: () =>
            act(retryPush, sent, {
              done: "正在重发",
              ask: { title: "重发失败", body: `只重发失败的 ${p.failed} 条，确定吗？`, ok: "重发" },
            }),
        },
      { label: "复制", does: addPush, run: () => load(true) },
      draft &&
        deleteAction(removePush, p, {
          title: "删除草稿",
          body: `确定删除“${p.title}”吗？`,
          ok: "删除",
          gone: () => set({ id: undefined }),
        }),
    ];
  };
  return {
    of,
    layer: open && (
      <Current call={getPush} read={open.push}>
        {(push) => <PushForm push={push} copy={open.copy} onClose={() => setOpen(undefined)} />}
      </Current>
    ),
  };
}
