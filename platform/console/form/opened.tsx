import { type ComponentType, useState } from "react";

type Form<R> = ComponentType<{ of: R; onClose: () => void }>;

/** The forms that acts open over a page, each of one record: `opens` makes the `run` of an act, `layer` is what is open. */
export function useOpened<R, K extends string>(forms: Readonly<Record<K, Form<R>>>) {
  const [open, setOpen] = useState<{ what: K; of: R }>();
  const opens = (what: K, of: R) => () => setOpen({ what, of });
  const Open: Form<R> | undefined = open && forms[open.what];
  const layer = Open && <Open of={open.of} onClose={() => setOpen(undefined)} />;
  return { opens, layer };
}
