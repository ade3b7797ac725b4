import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { useFound, useNamed } from "../../../platform/console/inputs/source.ts";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { pushBuildings, pushPeople } from "./push.contract.ts";
import { NAMED, type PartyKind } from "./push.rules.ts";

const peopleOf = (kind: PartyKind): Source => ({
  call: pushPeople,
  query: { kind },
  option: (p: { id: number; name: string; phone: string; room: string }) => ({
    value: p.id,
    label: p.name,
    note: [p.room, p.phone].filter(Boolean).join(" "),
  }),
});

/** Some customers, one by one. */
export function PeopleInput({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  kind,
}: InputProps<number[]> & { kind: PartyKind }) {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const source = peopleOf(kind);
  const chosen = value ?? [];
  const found = useFound(source, typed, open).data ?? [];
  const named = useNamed(source, chosen).data ?? [];
  const options = [...named, ...found.filter((o) => !named.some((n) => n.value === o.value))];
  return (
    <Select
      mode="multiple"
      id={id}
      value={chosen}
      disabled={disabled}
      placeholder={placeholder}
      maxCount={NAMED}
      maxTagCount="responsive"
      allowClear={CLEARS}
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      notFoundContent="没有匹配的客户"
      options={options}
      optionRender={(o) => (
        <span className="row">
          <span className="grow cut">{o.data.label}</span>
          <small className="dim">{o.data.note}</small>
        </span>
      )}
      onOpenChange={setOpen}
      onChange={(next: number[]) => onChange(next)}
      onBlur={onBlur}
    />
  );
}

/** Some buildings of the stores chosen. */
export function BuildingsInput({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  villageIds,
}: InputProps<number[]> & { villageIds: readonly number[] }) {
  const { data = [] } = useQuery({
    ...ask(pushBuildings, { query: { villageIds: villageIds.join(",") } }),
    enabled: villageIds.length > 0,
  });
  const options = data.map((b) => ({
    value: b.id,
    label: villageIds.length > 1 ? `${b.villageName} ${b.name}` : b.name,
  }));
  return (
    <Select
      mode="multiple"
      id={id}
      value={(value ?? []).filter((building) => !data.length || options.some((o) => o.value === building))}
      disabled={disabled || !villageIds.length}
      placeholder={villageIds.length ? "不限" : "请先选择门店"}
      maxTagCount="responsive"
      allowClear={CLEARS}
      showSearch={{ optionFilterProp: "label" }}
      options={options}
      onChange={(next: number[]) => onChange(next)}
      onBlur={onBlur}
    />
  );
}
