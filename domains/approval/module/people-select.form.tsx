import { Select } from "antd";
import { useState } from "react";
import { useFound, useNamed } from "../../../platform/console/inputs/source.ts";
import { ACTIVE_PEOPLE, PEOPLE } from "../../access/operator/operator.contract.ts";

/** Several people out of many: what is typed is searched on the server. */
export function PeopleSelect({
  value,
  onChange,
  label,
}: {
  value: readonly number[];
  onChange: (ids: number[]) => void;
  label: string;
}) {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const found = useFound(ACTIVE_PEOPLE, typed, open);
  // whoever was chosen is named, also when they can no longer sign in
  const named = useNamed(PEOPLE, value);
  const known = new Map([...(named.data ?? []), ...(found.data ?? [])].map((o) => [o.value, o]));
  return (
    <Select
      mode="multiple"
      aria-label={label}
      value={[...value]}
      placeholder="输入姓名搜索"
      maxTagCount="responsive"
      loading={found.isFetching}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      notFoundContent={found.isFetching ? "搜索中" : "没有匹配的人员"}
      options={[...known.values()]}
      optionRender={(o) => (
        <span className="row">
          <span className="grow cut">{o.data.label}</span>
          {o.data.note && <small className="dim">{o.data.note}</small>}
        </span>
      )}
      onOpenChange={setOpen}
      onChange={(ids) => onChange(ids)}
    />
  );
}
