import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { leadWords } from "./lead.contract.ts";

/** Sources, reasons and people that leads are registered, lost and assigned with. */
export const useLeadWords = () =>
  useQuery({ ...ask(leadWords, {}), staleTime: 60_000 }).data ?? {
    sources: [],
    channels: [],
    lostReasons: [],
    owners: [],
  };

/** The same as filters take them. */
export const filterWords = (items: readonly (readonly [code: string | number, name: string])[]) =>
  Object.fromEntries(items.map(([code, name]) => [String(code), [name, "grey"] as const]));

type Items = readonly { value: string; label: string }[];
const Pick = ({ value, onChange, onBlur, id, disabled, items }: InputProps<string> & { items: Items }) => (
  <Select
    id={id}
    value={value || null}
    disabled={disabled}
    placeholder="请选择"
    showSearch={{ optionFilterProp: "label" }}
    options={[...items]}
    onChange={(next: string | null) => onChange(next ?? undefined)}
    onBlur={onBlur}
  />
);

/** `kept` is what a record has from before, which may have been switched off since. */
export function SourceInput({
  kept,
  ...p
}: InputProps<string> & { kept?: { code: string; name: string } | undefined }) {
  const { sources } = useLeadWords();
  const all = kept && !sources.some((s) => s.code === kept.code) ? [...sources, kept] : sources;
  return <Pick {...p} items={all.map((s) => ({ value: s.code, label: s.name }))} />;
}

export function LostReasonInput(p: InputProps<string>) {
  const { lostReasons } = useLeadWords();
  return <Pick {...p} items={lostReasons.map((name) => ({ value: name, label: name }))} />;
}

export function OwnerInput({ value, onChange, ...p }: InputProps<number>) {
  const { owners } = useLeadWords();
  return (
    <Pick
      {...p}
      value={value === undefined ? undefined : String(value)}
      onChange={(next) => onChange(next === undefined ? undefined : Number(next))}
      items={owners.map((o) => ({ value: String(o.id), label: o.name }))}
    />
  );
}
