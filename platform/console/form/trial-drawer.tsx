import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useState } from "react";
import { sentence } from "../calls/failure.ts";
import { freshKey, useRefresh } from "../calls/mutation.ts";
import { Button } from "../parts/button.tsx";
import { confirmLeave } from "../parts/dialog.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { toast } from "../parts/toast.ts";
import { Foot } from "./form-foot.tsx";
import type { FormState } from "./form-state.ts";

type Trial<T, P> = {
  /** Names the question in the cache; what is typed is added. */
  queryKey: readonly unknown[];
  typed: T;
  /** Whether what is typed can be asked about. */
  ready: boolean;
  /** Being sent: nothing is worked out meanwhile. */
  busy: boolean;
  ask: (typed: T, signal: AbortSignal) => Promise<P>;
};

/**
 * What a form comes to, worked out again as it is typed. `shown` may be of a moment ago, `fresh` is of what stands in the
 * form now; without it `why` says what is missing.
 */
export function useTrial<T, P>({ queryKey, typed, ready, busy, ask }: Trial<T, P>) {
  const now = JSON.stringify(typed);
  const wanted = useDeferredValue(now);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, wanted],
    queryFn: ({ signal }) => ask(JSON.parse(wanted) as T, signal),
    enabled: wanted === now && ready && !busy,
    placeholderData: keepPreviousData,
    retry: false,
    // the same typed again after another act comes to something else
    gcTime: 0,
  });
  const shown = ready && !error ? data : undefined;
  const fresh = isPlaceholderData || wanted !== now ? undefined : shown;
  const failed = ready && error ? sentence(error) : undefined;
  return { shown, fresh, error, failed, why: failed ?? (fresh ? undefined : "正在试算") };
}

type Props<V> = {
  title: string;
  width: number;
  form: FormState<V>;
  /** Beside the button: what it comes to. */
  note: ReactNode;
  ok: string;
  danger?: boolean;
  why: string | undefined;
  /** Sends what stands in the form; answers the toast. */
  take: (body: V, idempotencyKey: string) => Promise<string>;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A form that shows what it comes to, line by line, and is taken with the hash of what is shown. Pressed again after an
 * answer that never came, it is the same act.
 */
export function TrialDrawer<V>({
  title,
  width,
  form,
  note,
  ok,
  danger,
  why,
  take,
  onClose,
  children,
}: Props<V>) {
  const refresh = useRefresh();
  const [key] = useState(freshKey);
  const save = async () => {
    const done = await form.submit(async (body) => {
      toast(await take(body, key));
      await refresh();
    });
    if (done) return onClose();
    await refresh();
  };
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  return (
    <Drawer
      title={title}
      width={width}
      modal
      onClose={() => void close()}
      footer={
        <Foot form={form} cancel={close} note={note && <span className="sub">{note}</span>}>
          <Button look={danger ? "danger" : "main"} busy={form.busy} why={why} run={save}>
            {ok}
          </Button>
        </Foot>
      }
    >
      {children}
    </Drawer>
  );
}

/** Why it cannot be worked out, over the form. */
export const TrialAlert = ({ text }: { text: string | undefined }) =>
  text && (
    <div className="form__alert" role="alert">
      {text}
    </div>
  );
