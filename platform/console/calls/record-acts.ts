import type { Call, Need } from "../../kernel/call.ts";
import type { Switched } from "../../kernel/switched.ts";
import type { Action } from "../parts/actions.tsx";
import type { useAct } from "./mutation.ts";

type Act = ReturnType<typeof useAct>;
type Seen = { id: number; version?: number };
type More = { why?: string | undefined; need?: Need };
type Ask = { title: string; body?: React.ReactNode; ok?: string };

/**
 * 删除 of a record, as one has seen it where its call asks for the version. `gone`: what else happens once it is gone, such
 * as closing its drawer.
 */
export const deleteAction = (
  act: Act,
  call: Call,
  { id, version }: Seen,
  { why, need, gone, done = "已删除", ...ask }: Ask & More & { gone?: () => unknown; done?: string },
): Action => ({
  label: "删除",
  does: call,
  danger: true,
  why,
  ...(need && { need }),
  run: async () => {
    const reply = await act(
      call as Call<never, never>,
      { params: { id }, ...(call.query && { query: { version } }) } as never,
      { done, ask },
    );
    if (reply !== undefined) gone?.();
  },
});

/** 停用 of what is enabled, 启用 of what is not. `ask`: what 停用 asks before. */
export const switchAction = (
  act: Act,
  { enable, disable }: { enable: Call; disable: Call },
  { id, version, state }: Seen & { state: Switched },
  { why, ask }: Pick<More, "why"> & { ask?: Ask } = {},
): Action => {
  const send = (call: Call, how: { done: string; ask?: Ask }) =>
    act(call as Call<never, never>, { params: { id }, body: { version } } as never, how);
  return state === "enabled"
    ? { label: "停用", does: disable, why, run: () => send(disable, { done: "已停用", ...(ask && { ask }) }) }
    : { label: "启用", does: enable, why, run: () => send(enable, { done: "已启用" }) };
};
