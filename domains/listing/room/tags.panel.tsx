import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs.tsx";

/** Words that people make up: typed and confirmed with Enter or a comma. */
export const TagsInput = ({ value, onChange, onBlur, id, disabled, placeholder }: InputProps<string[]>) => (
  <Select
    mode="tags"
    id={id}
    value={value ?? []}
    disabled={disabled}
    open={false}
    suffixIcon={null}
    tokenSeparators={[",", "，", "、"]}
    placeholder={placeholder ?? "输入后按回车，最多 10 个"}
    onChange={(next: string[]) => onChange(next.map((tag) => tag.trim()).filter(Boolean))}
    onBlur={onBlur}
  />
);

/** Words of a closed list, such as facilities. */
export const WordsInput = ({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  words,
}: InputProps<string[]> & { words: readonly string[] }) => (
  <Select
    mode="multiple"
    id={id}
    value={value ?? []}
    disabled={disabled}
    placeholder="请选择"
    maxTagCount="responsive"
    options={words.map((word) => ({ value: word, label: word }))}
    onChange={(next: string[]) => onChange(next)}
    onBlur={onBlur}
  />
);

/** One word of a closed list, or none. */
export const WordInput = ({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  words,
}: InputProps<string> & { words: readonly string[] }) => (
  <Select
    id={id}
    value={value || null}
    disabled={disabled}
    allowClear
    placeholder="请选择"
    showSearch
    options={words.map((word) => ({ value: word, label: word }))}
    onChange={(next: string | null | undefined) => onChange(next ?? "")}
    onBlur={onBlur}
  />
);
