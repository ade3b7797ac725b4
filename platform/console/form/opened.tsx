import { type ComponentType, type ReactNode, useState } from "react";
import type { Call } from "../../kernel/call.ts";
import { Current } from "../parts/loaded.tsx";

type Form<R> = ComponentType<{ of: R; onClose: () => void }>;

/**
 * The forms that acts open over a page, each of one record: `opens` makes the `run` of an act, `layer` is what is open. `call` reads
 * the record by its id, where a colleague was quicker.
 */
export function useOpened<R extends { id: number; version: number }, K extends string>(
  call: Call,
  forms: Readonly<Record<K, Form<R>>>,
) {
  const [open, setOpen] = useState<{ what: K; of: R }>();
  const opens = (what: K, of: R) => () => setOpen({ what, of });
  let layer: ReactNode;
  if (open) {
    const Open: Form<R> = forms[open.what];
    layer = (
      <Current call={call} read={open.of}>
        {(of) => <Open of={of} onClose={() => setOpen(undefined)} />}
      </Current>
    );
  }
  return { opens, layer };
}
