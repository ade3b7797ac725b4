import type { ReactNode } from "react";
import { Button, IconButton } from "../parts/button.tsx";
import { OneField, type Changes } from "./form-field.tsx";
import { valueAt, type FormState } from "./form-state.ts";

type LineField<L> =
  | (keyof L & string)
  | { [K in keyof L & string]: { key: K; width?: number } & Changes<L, NonNullable<L[K]>> }[keyof L & string];

type Props<V, L> = {
  form: FormState<V>;
  /** Key of the list in the body. */
  name: keyof V & string;
  fields: readonly LineField<L>[];
  /** Heads of the columns, in the same order. */
  heads: readonly string[];
  /** A new, empty line. */
  blank: Partial<L>;
  add?: string;
  /** At least this many lines stay. */
  least?: number;
  most?: number;
  /** Under the table: sums. */
  foot?: (lines: readonly Partial<L>[]) => ReactNode;
};

/** A list inside a form, one line per row: fees, steps, occupants. */
export function Lines<V, L extends object>({
  form,
  name,
  fields,
  heads,
  blank,
  add = "添加",
  least = 0,
  most = 100,
  foot,
}: Props<V, L>) {
  const lines = (valueAt(form.values, name) ?? []) as Partial<L>[];
  const error = form.errors[name];
  return (
    <div className="fi--wide">
      <div className="lines">
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head}>{head}</th>
              ))}
              <th aria-label="移除" />
            </tr>
          </thead>
          <tbody>
            {lines.map((_, i) => (
              <tr key={i}>
                {fields.map((field) => {
                  const f = typeof field === "string" ? { key: field } : field;
                  return (
                    <td key={f.key} style={{ width: "width" in f ? f.width : undefined }}>
                      <OneField
                        bare
                        form={form}
                        path={`${name}.${i}.${f.key}`}
                        more={f as unknown as Changes<V, unknown>}
                      />
                    </td>
                  );
                })}
                <td className="lines__x">
                  <IconButton
                    icon="trash"
                    size={14}
                    label={`移除第 ${i + 1} 行`}
                    why={lines.length <= least ? `至少保留 ${least} 行` : undefined}
                    run={() => form.set(name, lines.toSpliced(i, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="lines__add">
          <Button
            size="sm"
            icon="plus"
            why={lines.length >= most ? `最多 ${most} 行` : undefined}
            run={() => form.set(name, [...lines, blank])}
          >
            {add}
          </Button>
          {foot?.(lines)}
        </div>
      </div>
      {error && (
        <p className="form__note" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
