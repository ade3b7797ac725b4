import { useState, type ReactNode } from "react";
import type { ZodType } from "zod";
import type { Call, Reply, Sent } from "../../kernel/call.ts";
import { freshKey, useRefresh } from "../calls/mutation.ts";
import { Button } from "../parts/button.tsx";
import { dangerous } from "../parts/danger.ts";
import { confirmLeave, Dialog } from "../parts/dialog.tsx";
import { Drawer } from "../parts/drawer.tsx";
import type { Field } from "./form-field.tsx";
import type { FormState } from "./form-state.ts";
import { FormFields, useForm } from "./form.tsx";
import { Foot } from "./form-foot.tsx";
import { sendWire } from "../calls/request.ts";
import { toast } from "../parts/toast.ts";

export type Body<C> = Sent<C> extends { body: infer B } ? B : never;

export type FormProps<C extends Call> = {
  call: C;
  title: string;
  /** Path parameters and query of the call. */
  params?: Record<string, string | number>;
  /** What the form starts with; for an edit the record, its `version` included. */
  initial?: Partial<Body<C>>;
  /** With a function, a field can fill in others and see how the form stands. */
  fields:
    | readonly Field<Body<C>>[]
    | ((set: (path: string, value: unknown) => void, form: FormState<Body<C>>) => readonly Field<Body<C>>[]);
  cols?: number;
  label?: number;
  width?: number;
  /** Verb on the button: 保存, 收款, 作废. */
  ok?: string;
  /** Toast when it is done. */
  done?: string;
  onDone?: (reply: Reply<C>) => void;
  onClose: () => void;
  /** Beside the buttons: what will happen, computed from what stands in the form. */
  note?: (values: Partial<Body<C>>) => ReactNode;
};

function useFormLayer<C extends Call>(p: FormProps<C>) {
  const refresh = useRefresh();
  // made when the form is opened: pressing again after a lost answer cannot move money twice
  const [idempotencyKey] = useState(() => (p.call.money ? freshKey() : undefined));
  const form = useForm<Body<C>>(p.call.body as ZodType<unknown, Body<C>>, p.initial ?? {});
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    p.onClose();
  };
  const submit = async () => {
    let reply: Reply<C> | undefined;
    const sent = await form.submit(async (body) => {
      reply = await sendWire<Reply<C>>(p.call, { params: p.params ?? {}, body }, { idempotencyKey });
      if (p.done) toast(p.done);
      // what the form opens onto is current, and so is the version that the next act sends
      await refresh();
    });
    if (!sent) return;
    p.onDone?.(reply as Reply<C>);
    p.onClose();
  };
  const fields = typeof p.fields === "function" ? p.fields(form.set, form) : p.fields;
  const content = (
    <form
      id="layer-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FormFields form={form} fields={fields} cols={p.cols ?? 1} label={p.label ?? 96} />
      <button type="submit" hidden aria-hidden />
    </form>
  );
  const ok = (
    <Button look={dangerous(p.ok ?? "") ? "danger" : "main"} busy={form.busy} run={() => void submit()}>
      {p.ok ?? "保存"}
    </Button>
  );
  const footer = (
    <Foot form={form} cancel={close} note={p.note && <span className="sub">{p.note(form.values)}</span>}>
      {ok}
    </Foot>
  );
  return { content, footer, close: () => void close() };
}

/** A form over the work: for what takes more than a few fields. */
export function FormDrawer<C extends Call>(p: FormProps<C>) {
  const { content, footer, close } = useFormLayer(p);
  return (
    <Drawer title={p.title} width={p.width ?? 560} modal footer={footer} onClose={close}>
      {content}
    </Drawer>
  );
}

type RecordFormProps<A extends Call, E extends Call> = Omit<
  FormProps<A>,
  "call" | "title" | "params" | "onDone"
> & {
  add: A;
  edit: E;
  /** What people call one: 公共区域. */
  one: string;
  /** As it stands, to be edited; `initial` is what a new one starts with. */
  record?: ({ id: number; name: string } & Partial<Body<E>>) | undefined;
  onAdded?: (reply: Reply<A>) => void;
};

/** A new record, or one as it stands: the same fields. */
export function RecordForm<A extends Call, E extends Call>({
  add,
  edit,
  one,
  record,
  done = `${one}已新增`,
  onAdded,
  ...shared
}: RecordFormProps<A, E>) {
  if (!record)
    return (
      <FormDrawer
        {...(shared as FormProps<A>)}
        call={add}
        title={`新增${one}`}
        done={done}
        {...(onAdded && { onDone: onAdded })}
      />
    );
  return (
    <FormDrawer
      {...(shared as unknown as FormProps<E>)}
      call={edit}
      params={{ id: record.id }}
      initial={record}
      title={`编辑 ${record.name}`}
      done="已保存"
    />
  );
}

/** The same in the middle: for a few fields. */
export function FormDialog<C extends Call>(p: FormProps<C>) {
  const { content, footer, close } = useFormLayer(p);
  return (
    <Dialog title={p.title} width={p.width ?? 460} footer={footer} onClose={close}>
      {content}
    </Dialog>
  );
}
