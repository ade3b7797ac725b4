import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs.tsx";
import { ask } from "../../../platform/console/request.ts";
import { subjectOptions } from "./subject.contract.ts";
import type { SubjectKind } from "./subject.rules.ts";

/** The enterprise's fee subjects of some kinds. */
export const useSubjects = (kinds: readonly SubjectKind[]) =>
  useQuery({ ...ask(subjectOptions, { query: { kinds: kinds.join(",") } }), staleTime: 300_000 });

export function SubjectSelect({
  kinds,
  value,
  onChange,
  onBlur,
  id,
  disabled,
}: InputProps<number> & { kinds: readonly SubjectKind[] }) {
  const { data = [], isLoading } = useSubjects(kinds);
  return (
    <Select
      id={id ?? ""}
      value={value ?? null}
      loading={isLoading}
      disabled={disabled ?? false}
      placeholder="请选择费用科目"
      showSearch={{ optionFilterProp: "label" }}
      options={data.map((s) => ({ value: s.id, label: s.name, note: s.taxWord }))}
      optionRender={({ data: s }) => (
        <span className="row">
          <span className="grow cut">{s.label}</span>
          <small className="dim">{s.note}</small>
        </span>
      )}
      onChange={(next: number | null) => onChange(next ?? undefined)}
      {...(onBlur && { onBlur })}
    />
  );
}
