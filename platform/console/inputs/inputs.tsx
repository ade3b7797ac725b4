import { Input, Select } from "antd";
import { CLEARS } from "./clears.tsx";
import { useState, type ReactNode } from "react";
import { yuan, type Fen } from "../../kernel/fen.ts";
import type { Words } from "../../kernel/field.ts";
import { Segments } from "../parts/segments.tsx";
import { digits } from "../../kernel/texts/digits.ts";
import { typedFen, typedNumber } from "./typed-text.ts";

/** What every input of the kit takes. `undefined` is empty. */
export type InputProps<T> = {
  value: T | undefined;
  onChange: (value: T | undefined) => void;
  onBlur?: () => void;
  id?: string | undefined;
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
};

/** Yuan are typed, fen are kept. Thousands appear when the field is left. */
export function MoneyInput({
  value,
  onChange,
  onBlur,
  unit = "元",
  ...rest
}: InputProps<Fen> & { unit?: ReactNode }) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? (value === undefined || Number.isNaN(value) ? "" : yuan(value));
  return (
    <Input
      {...rest}
      className="num-in"
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      suffix={<span className="unit">{unit}</span>}
      onFocus={(event) => {
        setTyped(value === undefined ? "" : Number.isNaN(value) ? shown : yuan(value, false));
        const field = event.target;
        requestAnimationFrame(() => document.activeElement === field && field.select());
      }}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(typedFen(event.target.value));
      }}
      onBlur={() => {
        if (!Number.isNaN(value)) setTyped(undefined);
        onBlur?.();
      }}
    />
  );
}

/** A plain number. What is no number becomes NaN, so that the rule speaks. `scale` 100 shows 0.05 as 5. */
export function NumberInput({
  value,
  onChange,
  onBlur,
  unit,
  scale = 1,
  ...rest
}: InputProps<number> & { unit?: ReactNode; scale?: number }) {
  const [typed, setTyped] = useState<string>();
  const text = (v: number | undefined) =>
    v === undefined || Number.isNaN(v) ? "" : String(Number((v * scale).toPrecision(12)));
  return (
    <Input
      {...rest}
      className="num-in"
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? text(value)}
      suffix={unit && <span className="unit">{unit}</span>}
      onChange={(event) => {
        const next = event.target.value;
        setTyped(next);
        const number = typedNumber(next);
        onChange(number === undefined ? undefined : Number((number / scale).toPrecision(12)));
      }}
      onBlur={() => {
        if (!Number.isNaN(value)) setTyped(undefined);
        onBlur?.();
      }}
    />
  );
}

/** A decimal that stays the text it was typed as, so that nothing is lost to binary fractions. */
export const DecimalInput = ({
  value,
  onChange,
  onBlur,
  unit,
  width,
  ...rest
}: InputProps<string> & { unit?: ReactNode; width?: number }) => (
  <Input
    {...rest}
    className="num-in"
    inputMode="decimal"
    autoComplete="off"
    value={value ?? ""}
    suffix={unit && <span className="unit">{unit}</span>}
    onChange={(event) => onChange(digits(event.target.value))}
    {...(onBlur && { onBlur })}
    {...(width && { style: { width } })}
  />
);

/** A few words to choose from: side by side up to four, a list above. */
export function ChoiceInput({
  value,
  onChange,
  onBlur,
  words,
  id,
  disabled,
  placeholder,
  clear = false,
}: InputProps<string> & { words: Words; clear?: boolean }) {
  const codes = Object.entries(words);
  if (codes.length <= 4 && !clear) {
    const items = codes.map(([code, [text]]) => [code, text] as const);
    return <Segments items={items} on={value} {...{ onChange, onBlur, id, disabled }} />;
  }
  return (
    <Select
      id={id}
      value={value ?? null}
      disabled={disabled}
      allowClear={clear ? CLEARS : false}
      placeholder={placeholder ?? "请选择"}
      options={codes.map(([code, [text]]) => ({ value: code, label: text }))}
      onChange={(next) => onChange(next ?? undefined)}
      onBlur={onBlur}
    />
  );
}

const YES_NO: Words = { true: ["是", "green"], false: ["否", "grey"] };

export const FlagInput = ({ value, onChange, ...rest }: InputProps<boolean>) => (
  <ChoiceInput
    {...rest}
    words={YES_NO}
    value={value === undefined ? undefined : String(value)}
    onChange={(code) => onChange(code === "true")}
  />
);

type Option<K> = { value: K; label: string; search?: string };
type Group<K> = { label: string; options: Option<K>[] };

type ManyProps<K> = InputProps<K[]> & {
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
  placeholder,
  options = [],
  most,
  clear = false,
  searched = "label",
  ...rest
}: ManyProps<K>) => (
  <Select<K[], Option<K>>
    {...rest}
    mode="multiple"
    value={value ?? []}
    placeholder={placeholder ?? "请选择，可多选"}
    maxTagCount="responsive"
    allowClear={clear ? CLEARS : false}
    {...(most !== undefined && { maxCount: most })}
    showSearch={typeof searched === "function" ? { filterOption: searched } : { optionFilterProp: searched }}
    options={options as Option<K>[]}
    onChange={(next) => onChange(next)}
  />
);

export const ManyInput = ({ words, ...rest }: InputProps<string[]> & { words: Words }) => (
  <ManySelect
    {...rest}
    placeholder={rest.placeholder ?? "请选择"}
    options={Object.entries(words).map(([code, [text]]) => ({ value: code, label: text }))}
  />
);

export const TextInput = ({
  value,
  onChange,
  max,
  rows,
  ...rest
}: InputProps<string> & { max?: number | undefined; rows?: number }) =>
  rows ? (
    <Input.TextArea
      {...rest}
      value={value ?? ""}
      rows={rows}
      showCount={max !== undefined}
      maxLength={max ?? 10_000}
      onChange={(event) => onChange(event.target.value)}
    />
  ) : (
    <Input
      {...rest}
      autoComplete="off"
      value={value ?? ""}
      {...(max !== undefined && { maxLength: max })}
      onChange={(event) => onChange(event.target.value)}
    />
  );

/** Why something is done: 2 to 200 characters, kept in the record's log. */
export const ReasonInput = (props: InputProps<string>) => (
  <TextInput {...props} rows={3} max={200} placeholder={props.placeholder ?? "请填写原因（2-200字）"} />
);
