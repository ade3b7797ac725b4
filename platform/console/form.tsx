import { useEffect, useId, useRef, useState, type CSSProperties, type ReactNode } from "react";
import type { ZodType } from "zod";
import { Failure, sentence, showFailure } from "./failure.ts";
import {
  bodyOf,
  errorsFrom,
  errorsOf,
  isDirty,
  valueAt,
  withValue,
  type Errors,
  type FormState,
  type Values,
} from "./formstate.ts";
import { FieldRow, type Field } from "./formfield.tsx";
import { metaOf } from "../kernel/field.ts";
import { schemaAt } from "./schema.ts";
import { Icon } from "./icons.tsx";
import { useUnsaved } from "./page.ts";

/** The state of one form over the body schema of a call. Rules are the contract's, and so are the sentences. */
export function useForm<V>(schema: ZodType<unknown, V>, initial: Partial<V>): FormState<V> {
  const [start] = useState(initial as Values);
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<Errors>({});
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const musts = useRef<Record<string, Errors>>({});
  const dirty = !sent && isDirty(values, start);
  useUnsaved(dirty);

  const show = (found: Errors) => {
    setErrors(found);
    requestAnimationFrame(() => {
      const bad = box.current?.querySelector(".fi--bad");
      bad?.querySelector<HTMLElement>("input,textarea,button,[tabindex]")?.focus();
      bad?.scrollIntoView({ block: "nearest" });
    });
  };
  return {
    values: values as Partial<V>,
    errors,
    alert,
    dirty,
    busy,
    schema,
    box,
    musts,
    set: (path, value) => {
      setValues((before) => withValue(before, path, value));
      setErrors(({ [path]: _gone, ...rest }) => rest);
    },
    blur: (path) => {
      if (valueAt(values, path) === valueAt(start, path)) return;
      const found = errorsOf(schema, values)[path];
      setErrors(({ [path]: _gone, ...rest }) => (found ? { ...rest, [path]: found } : rest));
    },
    submit: async (send) => {
      if (busy) return false;
      setAlert(undefined);
      const found = errorsOf(schema, values, Object.assign({}, ...Object.values(musts.current)));
      if (Object.keys(found).length) {
        if (found[""]) setAlert(found[""]);
        show(found);
        return false;
      }
      setBusy(true);
      try {
        await send(bodyOf(schema, values) as V);
        setSent(true);
        return true;
      } catch (error) {
        if (error instanceof Failure && error.fields.length) show(errorsFrom(error.fields));
        if (error instanceof Failure && error.status !== 401) setAlert(sentence(error));
        else showFailure(error);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** The labels of the fields that are marked as required as the form stands. */
const mustsOf = <V,>(schema: ZodType, fields: readonly Field<V>[]): Errors =>
  Object.fromEntries(
    fields.flatMap((f) => {
      if (typeof f === "string" || !("key" in f) || !f.must) return [];
      const at = schemaAt(schema, f.key);
      return [[f.key, f.title ?? ((at && metaOf(at)?.title) || f.key)]];
    }),
  );

/** The fields of a form in order. `cols` side by side; one on a phone. */
export function FormFields<V>({
  form,
  fields,
  cols = 1,
  label = 96,
  children,
}: {
  form: FormState<V>;
  fields: readonly Field<V>[];
  cols?: number;
  label?: number;
  children?: ReactNode;
}) {
  const shown = fields.filter(
    (f) => typeof f === "string" || !("when" in f) || !f.when || f.when(form.values),
  );
  const id = useId();
  const { musts } = form;
  useEffect(() => {
    const all = musts?.current;
    if (all) all[id] = mustsOf(form.schema, shown);
    return () => void delete all?.[id];
  });
  const named = shown.some((f) => form.errors[typeof f === "string" ? f : "key" in f ? f.key : ""]);
  return (
    <div className="form" ref={form.box} style={{ "--cols": cols, "--label": `${label}px` } as CSSProperties}>
      {form.alert && !named && (
        <div className="form__alert" role="alert">
          <Icon name="warn" />
          {form.alert}
        </div>
      )}
      {shown.map((f, i) => (
        <FieldRow key={typeof f === "string" ? f : "key" in f ? f.key : i} form={form} field={f} />
      ))}
      {children}
    </div>
  );
}
