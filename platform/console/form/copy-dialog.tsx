import { type ReactNode, useState } from "react";
import { useRefresh } from "../calls/mutation.ts";
import { Foot } from "./form-foot.tsx";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { toast } from "../parts/toast.ts";

type Told<C> = { villageId: number; villageName: string; changes: readonly C[] };
type Props<C> = {
  title: string;
  /** Why nothing can be shown yet, and the word that shows it. */
  why: string | undefined;
  look: string;
  preview: () => Promise<readonly Told<C>[]>;
  /** Why nothing would be copied, and what is said of a store in which nothing changes. */
  nothing: string;
  none: string;
  copy: () => Promise<unknown>;
  line: (change: C) => ReactNode;
  lines: string;
  onClose: () => void;
  /** What is copied and to where; it calls `forget` when that changes. */
  children: (forget: () => void) => ReactNode;
};

/** Carries over to other stores what one has: what would change is shown first. */
export function CopyDialog<C>(p: Props<C>) {
  const refresh = useRefresh();
  const [told, setTold] = useState<readonly Told<C>[]>();
  const changed = told?.filter((store) => store.changes.length) ?? [];
  const copy = async () => {
    await p.copy();
    toast(`已复制到 ${changed.length} 个门店`);
    p.onClose();
    await refresh();
  };
  const footer = (
    <Foot cancel={p.onClose}>
      {told ? (
        <Button look="main" why={changed.length ? undefined : p.nothing} run={copy}>
          确认复制
        </Button>
      ) : (
        <Button look="main" why={p.why} run={async () => setTold(await p.preview())}>
          {p.look}
        </Button>
      )}
    </Foot>
  );
  return (
    <Dialog title={p.title} width={560} footer={footer} onClose={p.onClose}>
      {p.children(() => setTold(undefined))}
      {told?.map((store) => (
        <section key={store.villageId}>
          <h3 className="form__section">{store.villageName}</h3>
          {store.changes.length ? (
            <ul className={p.lines}>{store.changes.map(p.line)}</ul>
          ) : (
            <p className="dim">{p.none}</p>
          )}
        </section>
      ))}
    </Dialog>
  );
}
