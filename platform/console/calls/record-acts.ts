import type { Call, Need, Permit } from "../../kernel/call.ts";
import type { Switched } from "../../kernel/switched.ts";
import { doing, type Action } from "../parts/actions.tsx";

type Seen = { id: number; version?: number };
type More = { why?: string | undefined; need?: Need };
type Ask = { title: string; body?: React.ReactNode; ok?: string };

/**
 * 删除 of a record, as one has seen it where its call asks for the version. `gone`: what else happens once it is gone, such
 * as closing its drawer.
 */
export const deleteAction = (
  call: Call,
  { id, version }: Seen,
  { why, need, gone, done = "已删除", ...ask }: Ask & More & { gone?: () => unknown; done?: string },
): Action => {
  const sent = { params: { id }, ...(call.query && { query: { version } }) };
  const { does, run } = doing(call, sent as never, done, ask);
  return {
    label: "删除",
    does,
    danger: true,
    why,
    ...(need && { need }),
    run: async (act) => (await run(act)) !== undefined && gone?.(),
  };
};

/** 停用 of what is enabled, 启用 of what is not. `ask`: what 停用 asks before. */
export const switchAction = (
  { enable, disable }: { enable: Call; disable: Call },
  { id, version, state }: Seen & { state: Switched },
  { why, ask }: Pick<More, "why"> & { ask?: Ask } = {},
): Action => {
  const sent = { params: { id }, body: { version } } as never;
  return state === "enabled"
    ? { label: "停用", why, ...doing(disable, sent, "已停用", ask) }
    : { label: "启用", why, ...doing(enable, sent, "已启用") };
};

/** The same of an entry whose edit says whether it is offered. */
export const offerAction = (
  edit: Call,
  code: number,
  { id, version, state }: Seen & { state: "on" | "off" },
): Action => {
  const enabled = state !== "on";
  const sent = { params: { id }, body: { enabled, version } } as never;
  const need = [`${code}.edit`, `${code}.${enabled ? "enable" : "disable"}`] as Permit[];
  return { label: enabled ? "启用" : "停用", ...doing(edit, sent, enabled ? "已启用" : "已停用"), need };
};
