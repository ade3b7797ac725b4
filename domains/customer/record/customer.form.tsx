import { useState } from "react";
import type { ZodType } from "zod";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { useForm } from "../../../platform/console/form/form.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";

/** Where the form of a customer stands, and what becomes of it. */
export type Standing = {
  /** The store of a new record, where the form stands over another. */
  villageId?: number | undefined;
  /** Takes the new record, where the form stands over another; left out, the list opens it. */
  onMade?: (id: number) => void;
  onClose: () => void;
};

/** The form of a new customer or of one that is there: saved, said, closed, and the new one opened. */
export function useCustomerForm<T extends object, R extends { id: number }>(
  { onMade, onClose }: Standing,
  of: {
    schema: ZodType;
    start: () => Partial<T>;
    isNew: boolean;
    save: (body: T) => Promise<R>;
    said: string;
    /** What else is to be said of it. */
    warning?: (reply: R) => string | null | undefined;
  },
) {
  const refresh = useRefresh();
  const [, set] = useAddress();
  const made = onMade ?? ((id: number) => set({ id }));
  const [start] = useState(of.start);
  const form = useForm<T>(of.schema as ZodType<unknown, T>, start);
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  const submit = async () => {
    let reply: R | undefined;
    const sent = await form.submit(async (body) => {
      reply = await of.save(body);
    });
    if (!sent || !reply) return;
    toast(of.said);
    const warning = of.warning?.(reply);
    if (warning) toast(warning, "warning");
    onClose();
    if (of.isNew) made(reply.id);
    await refresh();
  };
  /** The record that was there already is taken instead. */
  const onLinked = (id: number) => {
    onClose();
    made(id);
  };
  return { form, frame: { form, submit, close }, known: { picking: onMade !== undefined, onLinked } };
}
