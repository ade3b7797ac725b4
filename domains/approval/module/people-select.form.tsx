import { Select } from "antd";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { useFound, useNamed } from "../../../platform/console/inputs/source.ts";
import { listOperators } from "../../access/operator/operator.contract.ts";

type Row = Reply<typeof listOperators>["list"][number];

/** People who can sign in, by name. */
export const PEOPLE: Source = {
  call: listOperators,
  query: { state: "active" },
  option: ((row: Row) => ({ value: row.id, label: row.realName, note: row.departments })) as never,
};
/** Whoever was chosen is named, also when they can no longer sign in. */
const NAMED: Source = { ...PEOPLE, query: {} };

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
  const found = useFound(PEOPLE, typed, open);
  const named = useNamed(NAMED, value);
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
