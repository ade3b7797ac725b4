import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";

/** Words that people gave a renter. */
export const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length ? (
    <span className="row">
      {tags.map((tag) => (
        <StatusTag key={tag} tone="grey" dot={false}>
          {tag}
        </StatusTag>
      ))}
    </span>
  ) : (
    NONE
  );

/** Typed one after the other; a comma ends one, as pasted lists have it. */
export const TagInput = ({ value, onChange, onBlur, id, disabled, placeholder }: InputProps<string[]>) => (
  <Select
    mode="tags"
    id={id}
    value={value ?? []}
    disabled={disabled}
    placeholder={placeholder ?? "输入后回车，最多10个，每个最多10个字"}
    tokenSeparators={[",", "，", "、"]}
    open={false}
    suffixIcon={null}
    onChange={(next) => onChange(next)}
    onBlur={onBlur}
  />
);
