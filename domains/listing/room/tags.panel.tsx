import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";

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
