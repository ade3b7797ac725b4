import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { ChoiceInput, NumberInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { MODES, type Mode } from "../examine/words.rules.ts";
import { nodeRoles } from "./module.contract.ts";
import { PeopleSelect } from "./people-select.form.tsx";
import type { NodeInput } from "./process.contract.ts";
import { BY, type By } from "./words.rules.ts";

/** A new node: the manager of the village, the most usual one. */
export const FRESH: NodeInput = {
  name: "店长",
  by: "manager",
  operatorIds: [],
  roleId: null,
  mode: "any",
  remindHours: 24,
};

/** One node: who is asked, whether any one is enough, and when they are reminded. */
export function NodeLine({
  at,
  value,
  errorOf,
  onChange,
  onRemove,
}: {
  at: number;
  value: NodeInput;
  /** The sentence about one of its fields. */
  errorOf: (field: string) => string | undefined;
  onChange: (next: NodeInput) => void;
  onRemove: () => void;
}) {
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
