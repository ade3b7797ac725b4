import { useQuery } from "@tanstack/react-query";
import { Input, Select } from "antd";
import { CLEARS } from "./clears.tsx";
import type { InputProps } from "./inputs.tsx";
import { sendWire } from "../calls/request.ts";

type Word = {
  name: string;
  code: string;
  colour: string;
  hint: string;
  photo: boolean;
  villageIds: number[];
};
/** Which words: the dictionary, its group, and what a record keeps of a word; with a village, those offered there. */
type Of = {
  kind: "house" | "facility" | "customer";
  group: string;
  keeps?: "name" | "code";
  /** Of several villages, words that every one of them offers. */
  villageId?: number | null | undefined;
  villageIds?: readonly number[] | undefined;
  /** What a code is called that a record has from before and that is not offered any more. */
  keptName?: string | undefined;
};

/** The words of a group that new records may take, in order; with a village, those that are offered there. */
export function useWords({ kind, group, villageId, villageIds }: Of): readonly Word[] {
  const { data } = useQuery({
    queryKey: ["dic", kind, group],
    queryFn: ({ signal }) =>
      sendWire<{ list: Word[] }>(
        { method: "GET", path: `/system/api/v3/dic/${kind}/list` },
        { query: { group, state: "on", pageSize: 200, want: "rows" } },
        { signal },
      ),
    staleTime: 60_000,
  });
  const words = data?.list ?? [];
  const places = villageIds ?? (villageId ? [villageId] : []);
  return words.filter((w) => !w.villageIds.length || places.every((id) => w.villageIds.includes(id)));
}

/** The coded words of a group as a filter offers them. */
export const useWordChoice = (kind: Of["kind"], group: string) =>
  Object.fromEntries(useWords({ kind, group }).map((word) => [word.code, [word.name, "grey"] as const]));

/** Options of a group; what a record has from before stays readable among them. */
function useOptions(of: Of, chosen: readonly string[]) {
  const words = useWords(of);
  const { keeps = "name", keptName } = of;
  const options = words.map((word) => ({ value: word[keeps], label: word.name }));
  const old = chosen.filter((value) => value && !options.some((option) => option.value === value));
  return [...options, ...old.map((value) => ({ value, label: keptName ?? value }))];
}

type DicInputProps = InputProps<string> & Of;

export function DicInput({ value, onChange, onBlur, id, disabled, placeholder, ...of }: DicInputProps) {
  const options = useOptions(of, value ? [value] : []);
  return (
    <Select
      {...{ id, disabled, onBlur }}
      value={value || null}
      allowClear={CLEARS}
      showSearch
      placeholder={placeholder ?? "请选择"}
      options={options}
      onChange={(next: string | null | undefined) => onChange(next ?? "")}
    />
  );
}

type DicsInputProps = InputProps<string[]> & Of & { free?: boolean };

/** Several words of a dictionary; with `free`, also such as nobody has put there. */
export function DicsInput({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  free = false,
  ...of
}: DicsInputProps) {
  const options = useOptions(of, value ?? []);
  return (
    <Select
      mode={free ? "tags" : "multiple"}
      {...{ id, disabled, onBlur }}
      value={value ?? []}
      placeholder={placeholder ?? "请选择"}
      maxTagCount="responsive"
      tokenSeparators={free ? [",", "，", "、"] : []}
      options={options}
      onChange={(next: string[]) => onChange(next.map((word) => word.trim()).filter(Boolean))}
    />
  );
}

/** Free text that a dictionary proposes words for. */
export function DicSuggest({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  max,
  ...of
}: InputProps<string> & Of & { max: number }) {
  const list = `${id ?? "dic"}-${of.group}`;
  return (
    <>
      <Input
        id={id}
        list={list}
        value={value ?? ""}
        disabled={disabled}
        placeholder={placeholder}
        maxLength={max}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      <datalist id={list}>
        {useWords(of).map((word) => (
          <option key={word.code} value={word.name} />
        ))}
      </datalist>
    </>
  );
}
