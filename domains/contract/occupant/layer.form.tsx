import { useState, type ReactNode } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import type { CompanyRoom, Occupant } from "./who.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** What every form over the grid gets: the company, its rooms, whoever is ticked. */
export type OverGrid = {
  companyId: number;
  rooms: readonly CompanyRoom[];
  people: readonly Occupant[];
  onDone: () => void;
  onClose: () => void;
};

type Props<V> = Pick<OverGrid, "onDone" | "onClose"> & {
  title: string;
  ok: string;
  form: FormState<V>;
  /** Sends the body; answers what the toast says. */
  send: (body: V) => Promise<string>;
  why?: string | undefined;
  note?: ReactNode;
  width?: number;
  children: ReactNode;
};

/** A form with lines, over the grid. */
export function Layer<V>({
  title,
  ok,
  form,
  send,
  why,
  note,
  width = 760,
  onDone,
  onClose,
  children,
}: Props<V>) {
  const refresh = useRefresh();
  const [sending, setSending] = useState(false);
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const save = async () => {
    setSending(true);
    const sent = await form.submit(async (body) => {
      toast(await send(body));
      await refresh();
    });
    setSending(false);
    if (!sent) return;
    onDone();
    onClose();
  };
  const footer = (
    <Foot form={form} cancel={close} note={note && <span className="sub">{note}</span>}>
      <Button look="main" busy={form.busy || sending} why={why} run={() => void save()}>
        {ok}
      </Button>
    </Foot>
  );
  return (
    <Drawer title={title} width={width} modal footer={footer} onClose={() => void close()}>
      {children}
    </Drawer>
  );
}
