import { Select } from "antd";
import type { InputProps } from "./inputs.tsx";

type Option<K> = { value: K; label: string; search?: string };
type Group<K> = { label: string; options: Option<K>[] };

type Props<K> = InputProps<K[]> & {
  options: readonly (Option<K> | Group<K>)[] | undefined;
  /** The options are still on their way. */
  loading?: boolean;
  /** Most that can be chosen. */
  most?: number;
  /** May be emptied with one click. */
  clear?: boolean;
  /** What is typed is looked for in the labels, or in words of their own. */
  searched?: "label" | "search" | ((typed: string, option: { search?: string } | undefined) => boolean);
};

/** Several out of a list that is known as a whole; what does not fit is counted. */
export const ManySelect = <K extends string | number>({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  options = [],
  loading = false,
  most,
  clear = false,
  searched = "label",
}: Props<K>) => (
  <Select<K[], Option<K>>
    mode="multiple"
    id={id}
    value={value ?? []}
    loading={loading}
    disabled={disabled}
    placeholder={placeholder ?? "请选择，可多选"}
    maxTagCount="responsive"
    allowClear={clear}
    {...(most !== undefined && { maxCount: most })}
    showSearch={typeof searched === "function" ? { filterOption: searched } : { optionFilterProp: searched }}
    options={options as Option<K>[]}
    onChange={(next) => onChange(next)}
    onBlur={onBlur}
  />
);
