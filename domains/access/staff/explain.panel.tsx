import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { ChoiceInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Broken } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { listFunctions } from "../function/function.contract.ts";
import { explainOperator } from "../operator/explain.contract.ts";
import { RECORD_WORDS, type RecordKind } from "../operator/operator.rules.ts";

type ExplainPanelProps = { person: { id: number; realName: string }; onClose: () => void };

/** Why somebody can or cannot see or do something. */
export function ExplainPanel({ person, onClose }: ExplainPanelProps) {
  const [permissionId, setPermissionId] = useState<string>();
  const [recordKind, setRecordKind] = useState<RecordKind>();
  const [recordId, setRecordId] = useState<number>();
  const record = recordKind && recordId && recordId > 0 ? { recordKind, recordId } : {};
  const { data, error, refetch } = useQuery({
    ...ask(explainOperator, {
      params: { id: person.id },
      query: { permissionId: permissionId ?? "", ...record },
    }),
    enabled: permissionId !== undefined,
    placeholderData: (before) => before,
  });
  return (
    <Dialog title={`权限说明 · ${person.realName}`} width={600} onClose={onClose}>
      <div className="batch">
        <span>功能</span>
        <FunctionSelect value={permissionId} onChange={setPermissionId} />
        <span>记录</span>
        <span className="powers__record grid gap-4">
          <ChoiceInput
            value={recordKind}
            words={RECORD_WORDS}
            clear
            placeholder="不限记录"
            onChange={(kind) => setRecordKind(kind as RecordKind | undefined)}
          />
          <NumberInput
            value={recordId}
            placeholder="记录编号"
            disabled={!recordKind}
            onChange={setRecordId}
          />
        </span>
      </div>
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data || permissionId === undefined ? (
        <p className="sub">
          选择一项功能，看 {person.realName} 是否有权使用、权限来自哪个角色；也可以指定一条记录。
        </p>
      ) : (
        <div className="powers" aria-live="polite">
          <p>
            <StatusTag tone={data.allowed ? "green" : "red"}>{data.allowed ? "可以" : "不可以"}</StatusTag>{" "}
            {data.functionName}
          </p>
          <ul>
            {data.steps.map((step) => (
              <li key={step.text} className={step.ok ? "powers__yes" : "powers__no"}>
                <Icon name={step.ok ? "check" : "close"} size={14} label={step.ok ? "满足" : "不满足"} />
                {step.text}
              </li>
            ))}
          </ul>
          {data.roles.length > 0 && (
            <p className="sub">
              来自角色：{data.roles.map((r) => `${r.departmentName} / ${r.name}`).join("、")}
            </p>
          )}
          {data.actions.length > 0 && (
            <p className="powers__actions">
              {data.actions.map((a) => (
                <StatusTag key={a.key} tone={a.ok ? "green" : "grey"} dot={false}>
                  {a.ok ? "✓" : "✗"} {a.name}
                </StatusTag>
              ))}
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

type FunctionSelectProps = { value: string | undefined; onChange: (key: string | undefined) => void };

/** Any page, action or authority code, found by its name or its code. */
function FunctionSelect({ value, onChange }: FunctionSelectProps) {
  const { data = [], isLoading } = useQuery(ask(listFunctions, { query: {} }));
  const names = new Map(data.map((n) => [n.key, n.name]));
  return (
    <Select
      aria-label="功能"
      value={value ?? null}
      loading={isLoading}
      placeholder="输入页面、动作或权限编码"
      showSearch={{ optionFilterProp: "label" }}
      options={data
        .filter((n) => n.level !== "1" || n.key === "1")
        .map((n) => ({
          value: n.key,
          label: `${n.level === "3" && n.parentKey ? `${names.get(n.parentKey) ?? ""} · ` : ""}${n.name}（${n.key}）`,
        }))}
      onChange={(next: string | null) => onChange(next ?? undefined)}
    />
  );
}
