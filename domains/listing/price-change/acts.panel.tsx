import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { cancelChange, submitChange, withdrawChange, type ChangeRow, editChange } from "./change.contract.ts";
import { CHANGE_MOVES } from "./words.rules.ts";

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
