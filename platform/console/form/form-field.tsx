import { useId, type ReactNode } from "react";
import { metaOf, type FieldMeta } from "../../kernel/field.ts";
import { DayInput, InstantInput, MonthInput } from "../inputs/days.tsx";
import { isRequired, valueAt, type FormState } from "./form-state.ts";
import {
  ChoiceInput,
  FlagInput,
  ManyInput,
  MoneyInput,
  NumberInput,
  DecimalInput,
  TextInput,
  type InputProps,
} from "../inputs/inputs.tsx";
import { typedPhone } from "../inputs/typed-text.ts";
import { schemaAt } from "../list/list-schema.ts";

export type Changes<V, T> = {
  title?: string;
  /** Its own input; default by the kind in the contract. */
  input?: (props: InputProps<T>, values: Partial<V>) => ReactNode;
  help?: ReactNode | ((values: Partial<V>) => ReactNode);
  placeholder?: string;
  unit?: string;
  /** Takes the whole line of a form with columns. */
  wide?: boolean;
  when?: (values: Partial<V>) => boolean;
  disabled?: boolean;
  /** Marked as required although the schema alone does not say so: it is, as the form stands. */
  must?: boolean;
};

type Changed<V> = { [K in keyof V & string]: { key: K } & Changes<V, NonNullable<V[K]>> }[keyof V & string];

/** A field of the body by name, the same with changes, a heading, or anything of one's own. */
export type Field<V> =
  | (keyof V & string)
  | Changed<V>
  | { section: string; note?: ReactNode; when?: (values: Partial<V>) => boolean }
  | { show: (values: Partial<V>) => ReactNode; when?: (values: Partial<V>) => boolean };

export function FieldRow<V>({ form, field }: { form: FormState<V>; field: Field<V> }) {
  const f = typeof field === "string" ? ({ key: field } as Changed<V>) : field;
  if ("section" in f) {
    return (
      <h3 className="form__section">
        {f.section}
        {f.note && <small>{f.note}</small>}
      </h3>
    );
  }
  if ("show" in f) return <div className="fi--wide">{f.show(form.values)}</div>;
  return <OneField form={form} path={f.key} more={f as unknown as Changes<V, unknown>} />;
}

type OneFieldProps<V> = { form: FormState<V>; path: string; more: Changes<V, unknown>; bare?: boolean };

/** One labelled input with its message. Also used in the lines of a table, without its label. */
export function OneField<V>({ form, path, more, bare = false }: OneFieldProps<V>) {
  const id = useId();
  const schema = schemaAt(form.schema, path);
  const meta: FieldMeta = (schema && metaOf(schema)) ?? { title: path, kind: "text" };
  const error = form.errors[path];
  const props: InputProps<unknown> = {
    value: valueAt(form.values, path) ?? undefined,
    onChange: (value) => form.set(path, value),
    onBlur: () => form.blur(path),
    id,
    placeholder: more.placeholder,
    disabled: more.disabled || form.busy,
  };
  const help = typeof more.help === "function" ? more.help(form.values) : (more.help ?? meta.help);
  const title = more.title ?? meta.title;
  return (
    <div className={`fi ${more.wide ? "fi--wide" : ""} ${error ? "fi--bad" : ""}`}>
      {bare ? (
        <label className="sr" htmlFor={id}>
          {title}
        </label>
      ) : (
        <label
          className={`fi__label ${more.must || isRequired(schema) ? "fi__label--must" : ""}`}
          htmlFor={id}
        >
          {title}
        </label>
      )}
      <div className="fi__in">
        {more.input ? more.input(props, form.values) : inputFor(meta, more.unit)(props)}
        {help && <div className="fi__help fs-12 dim">{help}</div>}
      </div>
      {error && (
        <p className="fi__msg" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The input of a kind. A record is chosen with RecordSelect, which the page gives, because only it knows the source. */
function inputFor(meta: FieldMeta, unit: string | undefined): (props: InputProps<unknown>) => ReactNode {
  const mark = unit ?? meta.unit;
  const takes = <T,>(render: (props: InputProps<T>) => ReactNode) =>
    render as (props: InputProps<unknown>) => ReactNode;
  switch (meta.kind) {
    case "money":
      return takes<number>((p) => <MoneyInput {...p} {...(mark && { unit: mark })} />);
    case "number":
      return takes<number>((p) => <NumberInput {...p} unit={mark} />);
    case "percent":
    case "progress":
      return takes<number>((p) => <NumberInput {...p} unit="%" scale={100} />);
    case "day":
      return takes<string>((p) => <DayInput {...p} />);
    case "instant":
      return takes<string>((p) => <InstantInput {...p} />);
    case "month":
      return takes<string>((p) => <MonthInput {...p} />);
    case "status":
      return takes<string>((p) => <ChoiceInput {...p} words={meta.words ?? {}} />);
    case "tags":
      return takes<string[]>((p) => <ManyInput {...p} words={meta.words ?? {}} />);
    case "flag":
      return takes<boolean>((p) => <FlagInput {...p} />);
    case "phone":
      return takes<string>((p) => (
        <TextInput {...p} onChange={(text) => p.onChange(text && typedPhone(text))} />
      ));
    default:
      if (meta.decimal) return takes<string>((p) => <DecimalInput {...p} unit={mark} />);
      return takes<string>((p) => (
        <TextInput {...p} max={meta.max} {...((meta.max ?? 0) >= 100 && { rows: 3 })} />
      ));
  }
}
