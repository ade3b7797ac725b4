import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";

type Items = readonly { value: string; label: string }[];

/** One of a few words; what a record has from before stays readable among them. */
export const WordPick = ({ words, ...p }: InputProps<string> & { words: readonly string[] }) => (
  <Pick {...p} items={[...new Set([...words, ...(p.value ? [p.value] : [])])].map(asItem)} />
);
const asItem = (word: string) => ({ value: word, label: word });

/** Somebody out of a few; `kept` is who a record has from before. */
export function PersonPick({
  value,
  onChange,
  people,
  kept,
  ...p
}: InputProps<number> & {
  people: readonly { id: number; name: string }[];
  kept?: { id: number; name: string } | undefined;
}) {
  const all = kept && !people.some((o) => o.id === kept.id) ? [...people, kept] : people;
  return (
    <Pick
      {...p}
      value={value === undefined ? undefined : String(value)}
      onChange={(next) => onChange(next ? Number(next) : undefined)}
      items={all.map((o) => ({ value: String(o.id), label: o.name }))}
    />
  );
}

const Pick = ({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  items,
}: InputProps<string> & { items: Items }) => (
  <Select
    id={id}
    value={value || null}
    disabled={disabled}
    allowClear
    placeholder={placeholder ?? "请选择"}
    showSearch={{ optionFilterProp: "label" }}
    options={[...items]}
    onChange={(next: string | null | undefined) => onChange(next ?? "")}
    onBlur={onBlur}
  />
);
