import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Failure, sentence } from "../calls/failure.ts";
import { freshKey, useRefresh } from "../calls/mutation.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Broken, Working } from "../parts/states.tsx";
import { toast } from "../parts/toast.ts";
import { FormAlert } from "./form-alert.tsx";
import { Foot } from "./form-foot.tsx";

/** Errors under the names of the fields. */
export type WrongFields = Readonly<Record<string, string>>;

/** A read as `ask` makes it. */
export type Asked<P> = {
  queryKey: QueryKey;
  queryFn: (context: { signal: AbortSignal }) => Promise<P>;
  /** False while what it asks about is not chosen yet. */
  enabled?: boolean;
  staleTime?: number;
  retry?: boolean;
};

type Previewed<P> = {
  /** What the step would come to. */
  of: Asked<P>;
  /** Takes the step with the hash of what is shown; answers the toast. */
  take: (preview: P, idempotencyKey: string) => Promise<string>;
  /** What is still missing beside the preview, by field. */
  missing?: (() => WrongFields) | undefined;
  onClose: () => void;
};

/**
 * A step that is taken with the hash of what is shown. Where the figures have changed since, the server refuses with
 * `previewChanged` and the new preview: it is shown in place of the one before, and the step can be taken again.
 */
export function usePreviewed<P>({ of, take, missing, onClose }: Previewed<P>) {
  const refresh = useRefresh();
  const client = useQueryClient();
  const [key] = useState(freshKey);
  const [before, setBefore] = useState<P>();
  const [wrong, setWrong] = useState<WrongFields>({});
  // what has just been taken is not worked out again while the layer is closing
  const taken = useRef(false);
  const {
    data: preview,
    error,
    refetch,
  } = useQuery({
    ...of,
    enabled: () => !taken.current && of.enabled !== false,
    // who comes back to it sees what it comes to then
    gcTime: 0,
  });
  const run = async () => {
    if (!preview) return;
    const open = missing?.() ?? {};
    setWrong(open);
    if (Object.keys(open).length) return;
    try {
      toast(await take(preview, key));
      taken.current = true;
    } catch (failure) {
      if (failure instanceof Failure && failure.code === "previewChanged") {
        setBefore(() => preview);
        client.setQueryData(of.queryKey, failure.data as never);
      }
      if (failure instanceof Failure && failure.fields.length)
        setWrong(Object.fromEntries(failure.fields.map((f) => [f.field, f.msg])));
      throw failure;
    }
    onClose();
    await refresh();
  };
  return { preview, before, error, refetch, wrong, run };
}

type Props<P> = Previewed<P> & {
  title: string;
  /** The word of the step; without one there is only something to look at. */
  ok?: string | undefined;
  why?: ((preview: P) => string | undefined) | undefined;
  /** Beside the button. */
  note?: ((preview: P) => ReactNode) | undefined;
  changed?: string;
  children: (preview: P, seen: { before: P | undefined; wrong: WrongFields }) => ReactNode;
};

/** The drawer of a step that moves money: what it comes to, and one button that takes it as shown. */
export function ConfirmDrawer<P>({
  title,
  ok,
  why,
  note,
  changed = "账单试算已变化，请核对后重新确认",
  children,
  ...step
}: Props<P>) {
  const { preview, before, error, refetch, wrong, run } = usePreviewed(step);
  const said = preview && note?.(preview);
  return (
    <Drawer
      title={title}
      width={960}
      modal
      onClose={step.onClose}
      footer={
        ok && (
          <Foot cancel={step.onClose} note={said && <span className="sub">{said}</span>}>
            <Button look="main" why={preview ? why?.(preview) : "账单试算中"} run={run}>
              {ok}
            </Button>
          </Foot>
        )
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !preview ? (
        <Working />
      ) : (
        <div className="record stack gap-8">
          {before && (
            <div className="form__alert" role="alert">
              {changed}
            </div>
          )}
          {children(preview, { before, wrong })}
        </div>
      )}
    </Drawer>
  );
}

type DialogProps<P> = Pick<Previewed<P>, "of" | "take" | "onClose"> & {
  title: string;
  ok: string;
  /** What is known before the preview is there. */
  head?: ReactNode;
  /** Instead of `onClose` once it is taken. */
  onDone?: () => void;
  children: (preview: P) => ReactNode;
};

/** The same in the middle, for what a few lines say. */
export function ConfirmDialog<P>(p: DialogProps<P>) {
  const refresh = useRefresh();
  const [alert, setAlert] = useState<string>();
  const plan = usePreviewed({
    of: { ...p.of, staleTime: 0, retry: false },
    take: p.take,
    onClose: p.onDone ?? p.onClose,
  });
  const confirm = async () => {
    setAlert(undefined);
    try {
      await plan.run();
    } catch (error) {
      setAlert(sentence(error));
      await refresh();
    }
  };
  return (
    <Dialog
      title={p.title}
      width={520}
      onClose={p.onClose}
      footer={
        <Foot form={{ alert }} cancel={p.onClose}>
          <Button look="main" why={plan.preview ? undefined : "正在试算"} run={confirm}>
            {p.ok}
          </Button>
        </Foot>
      }
    >
      <FormAlert text={alert} />
      {p.head}
      {plan.preview ? (
        p.children(plan.preview)
      ) : plan.error ? (
        <Broken error={plan.error} retry={plan.refetch} />
      ) : (
        <Working rows={3} />
      )}
    </Dialog>
  );
}
