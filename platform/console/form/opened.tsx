import { type ComponentType, type ReactNode, useState } from "react";

type Form<R> = ComponentType<{ of: R; onClose: () => void }>;

/** The forms that acts open over a page, each of one record: `opens` makes the `run` of an act, `layer` is what is open. */
export function useOpened<R, K extends string>(forms: Readonly<Record<K, Form<R>>>) {
  const [open, setOpen] = useState<{ what: K; of: R }>();
  const opens = (what: K, of: R) => () => setOpen({ what, of });
  let layer: ReactNode;
  if (open) {
    const Open: Form<R> = forms[open.what];
    layer = <Open of={open.of} onClose={() => setOpen(undefined)} />;
  }
  return { opens, layer };
}
