import type { Call, Given, Returned } from "../platform/kernel/call.ts";
import type { Act } from "../platform/server/pipeline/act.ts";
import { everyServed, type Served } from "../platform/server/pipeline/serve.ts";

let served: Map<Call, Served> | undefined;

/** Loads what serves calls; people act from here on, and what their acts set off is registered. */
export async function beServed(): Promise<void> {
  served ??= new Map((await everyServed()).map((s) => [s.call, s]));
}

/** What serves a call whose steps are no service of their own. */
export const heard =
  <C extends Call>(call: C) =>
  (act: Act, given: Partial<Given<C>>): Promise<Returned<C>> =>
    served!.get(call)!.handle(act, { files: [], ...given } as never) as Promise<Returned<C>>;
