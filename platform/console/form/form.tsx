import { QueryClientContext } from "@tanstack/react-query";
import { useContext, useEffect, useId, useRef, useState, type CSSProperties, type ReactNode } from "react";
import type { ZodType } from "zod";
import { Failure, sentence, showFailure } from "../calls/failure.ts";
import {
  bodyOf,
  errorsBut,
  errorsFrom,
  errorsOf,
  isDirty,
  rebased,
  valueAt,
  withValue,
  type Errors,
  type FormState,
  type Values,
} from "./form-state.ts";
import { FieldRow, type Field } from "./form-field.tsx";
import { metaOf } from "../../kernel/field.ts";
import { schemaAt, shapeOf } from "../list/list-schema.ts";
import { FormAlert } from "./form-alert.tsx";
import { useUnsaved } from "../screens/page.ts";

/** For who stays with what was typed when the session has ended: the form is sent with the token of the next log-in. */
const SIGNED_OUT = "登录已失效，填写的内容没有保存。请在新窗口中重新登录，再回到这里保存";

/** The state of one form over the body schema of a call. Rules are the contract's, and so are the sentences. */
export function useForm<V>(schema: ZodType<unknown, V>, initial: Partial<V>): FormState<V> {
  const [start, setStart] = useState(initial as Values);
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<Errors>({});
  const [alert, setAlert] = useState<string>();
  // what the server said under fields is said once more over the form, as long as one of them stands as it was
  const [ofFields, setOfFields] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const musts = useRef<Record<string, Errors>>({});
  const dirty = !sent && isDirty(values, start);
  useUnsaved(dirty);
  const client = useContext(QueryClientContext);
  const [stale, setStale] = useState(false);
  const waits = useRef(false);

  useEffect(() => {
    const now = initial as Values;
    if (!waits.current || now["version"] === start["version"]) return;
    waits.current = false;
    const { values: next, theirs, both } = rebased(values, start, now);
    const titles = (keys: string[]) =>
      keys.flatMap((key) => (key in shapeOf(schema) ? [titleOf(schema, key)] : [])).join("、");
    setStart(now);
    setValues(next);
    setErrors({});
    setOfFields(false);
    setAlert(
      [
        "已载入最新数据，您填写的内容已保留，请核对后再次保存",
        titles(theirs) && `他人修改了：${titles(theirs)}`,
        titles(both) && `其中${titles(both)}以您填写的为准`,
      ]
        .filter(Boolean)
        .join("；"),
    );
  }, [initial, start, values, schema]);
  const reload = async () => {
    waits.current = true;
    setStale(false);
    await client?.invalidateQueries();
    // a form over what somebody clicked once does not follow it
    setTimeout(() => {
      if (!waits.current) return;
      setOfFields(false);
      setAlert("请关闭后重新打开，再填写");
      waits.current = false;
    }, 500);
  };

  /** Of a form in several parts all of them. */
  const wholeForm = () => box.current?.closest("form") ?? box.current;
  const show = (found: Errors) => {
    setErrors(found);
    requestAnimationFrame(() => {
      // a sentence about the whole stands over the first part
      const whole = wholeForm();
      const bad = whole?.querySelector(".fi--bad") ?? whole?.querySelector(".form__alert");
      bad?.querySelector<HTMLElement>("input,textarea,button,[tabindex]")?.focus();
      bad?.scrollIntoView({ block: "nearest" });
    });
  };
  return {
    values: values as Partial<V>,
    errors,
    alert: ofFields && !Object.keys(errors).length ? undefined : alert,
    dirty,
    busy,
    schema,
    box,
    musts,
    set: (path, value) => {
      setValues((before) => withValue(before, path, value));
      setErrors((before) => errorsBut(before, path));
    },
    blur: (path) => {
      if (valueAt(values, path) === valueAt(start, path)) return;
      const found = errorsOf(schema, values)[path];
      setErrors(({ [path]: _gone, ...rest }) => (found ? { ...rest, [path]: found } : rest));
    },
    reload: stale && client ? () => void reload() : undefined,
    submit: async (send) => {
      if (busy) return false;
      setAlert(undefined);
      setOfFields(false);
      setStale(false);
      // what is sent now would lack it
      if (wholeForm()?.querySelector(".files__one[aria-busy=true]")) {
        setAlert("文件还在上传，请在上传完成后提交");
        return false;
      }
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
        if (error instanceof Failure && error.fields.length) {
          show(errorsFrom(error.fields));
          setOfFields(true);
        }
        setStale(error instanceof Failure && error.code === "stale" && "version" in start);
        if (error instanceof Failure) setAlert(error.status === 401 ? SIGNED_OUT : sentence(error));
        else showFailure(error);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

const titleOf = (schema: ZodType, key: string): string => {
  const at = schemaAt(schema, key);
  return (at && metaOf(at)?.title) || key;
};

/** The labels of the fields that are marked as required as the form stands. */
const mustsOf = <V,>(schema: ZodType, fields: readonly Field<V>[]): Errors =>
  Object.fromEntries(
    fields.flatMap((f) => {
      if (typeof f === "string" || !("key" in f) || !f.must) return [];
      return [[f.key, f.title ?? titleOf(schema, f.key)]];
    }),
  );

type FormFieldsProps<V> = {
  form: FormState<V>;
  fields: readonly Field<V>[];
  cols?: number;
  label?: number;
  children?: ReactNode;
};

/** The fields of a form in order. `cols` side by side; one on a phone. */
export function FormFields<V>({ form, fields, cols = 1, label = 96, children }: FormFieldsProps<V>) {
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
  // of several parts the first shows what is wrong with the whole
  const lead = !musts || (Object.keys(musts.current)[0] ?? id) === id;
  const named = shown.some((f) => form.errors[typeof f === "string" ? f : "key" in f ? f.key : ""]);
  return (
    <div className="form" ref={form.box} style={{ "--cols": cols, "--label": `${label}px` } as CSSProperties}>
      {!named && lead && <FormAlert text={form.alert} reload={form.reload} />}
      {shown.map((f, i) => (
        <FieldRow key={typeof f === "string" ? f : "key" in f ? f.key : i} form={form} field={f} />
      ))}
      {children}
    </div>
  );
}
