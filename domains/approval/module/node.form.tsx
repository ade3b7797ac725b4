import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { ChoiceInput, NumberInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { useFound, useNamed } from "../../../platform/console/inputs/source.ts";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { ACTIVE_PEOPLE, PEOPLE } from "../../access/operator/operator.contract.ts";
import { MODES, type Mode } from "../examine/engine.rules.ts";
import { BY, type By } from "../examine/condition.rules.ts";
import { nodeRoles } from "./module.contract.ts";
import type { NodeInput } from "./process.contract.ts";

type PeopleSelectProps = { value: readonly number[]; onChange: (ids: number[]) => void; label: string };

/** Several people out of many: what is typed is searched on the server. */
export function PeopleSelect({ value, onChange, label }: PeopleSelectProps) {
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

/** A new node: the manager of the village, the most usual one. */
export const FRESH: NodeInput = {
  name: "店长",
  by: "manager",
  operatorIds: [],
  roleId: null,
  mode: "any",
  remindHours: 24,
};

type NodeLineProps = {
  at: number;
  value: NodeInput;
  /** The sentence about one of its fields. */
  errorOf: (field: string) => string | undefined;
  onChange: (next: NodeInput) => void;
  onRemove: () => void;
};

/** One node: who is asked, whether any one is enough, and when they are reminded. */
export function NodeLine({ at, value, errorOf, onChange, onRemove }: NodeLineProps) {
  const roles = useQuery({ ...ask(nodeRoles, {}), enabled: value.by === "role" });
  const put = (more: Partial<NodeInput>) => onChange({ ...value, ...more });
  const wrong = ["name", "operatorIds", "roleId", "mode", "remindHours"].map(errorOf).find(Boolean);
  return (
    <div className={`proc__node ${wrong ? "fi--bad" : ""}`}>
      <span className="proc__at fs-12 sub">{at}</span>
      <TextInput
        value={value.name}
        max={30}
        placeholder="节点名称"
        onChange={(name) => put({ name: name ?? "" })}
      />
      <ChoiceInput
        value={value.by}
        words={BY}
        onChange={(by) =>
          put({
            by: by as By,
            ...(by === "manager" && (!value.name || value.name === "店长") && { name: "店长" }),
          })
        }
      />
      <span className="proc__who">
        {value.by === "operators" && (
          <PeopleSelect
            label="审批人"
            value={value.operatorIds}
            onChange={(operatorIds) => put({ operatorIds })}
          />
        )}
        {value.by === "role" && (
          <Select
            aria-label="角色"
            value={value.roleId}
            placeholder="请选择角色"
            loading={roles.isFetching}
            showSearch={{ optionFilterProp: "label" }}
            options={(roles.data ?? []).map((r) => ({ value: r.id, label: `${r.name}（${r.people} 人）` }))}
            onChange={(roleId) => put({ roleId })}
          />
        )}
        {value.by === "manager" && <span className="dim">单据所在门店的负责人</span>}
      </span>
      {value.by !== "manager" && (
        <ChoiceInput value={value.mode} words={MODES} onChange={(mode) => put({ mode: mode as Mode })} />
      )}
      <label className="proc__hours row gap-3 fs-12">
        <span className="dim" title="超过该时长未处理时提醒，0 表示不提醒">
          提醒
        </span>
        <NumberInput
          value={value.remindHours}
          unit="小时"
          onChange={(hours) => put({ remindHours: hours ?? 0 })}
        />
      </label>
      <IconButton icon="close" small label={`删除节点 ${value.name}`} run={onRemove} />
      {wrong && (
        <p className="fi__msg" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
