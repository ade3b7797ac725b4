import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { subjectOptions } from "../subject/subject.contract.ts";

const WHICH = { all: ["全部收入类", "grey"], some: ["指定科目", "grey"] } as const;

/** Every income subject (null), or some by code. Deposits, earnest and collected money never bear a late fee. */
export function SubjectsInput({
  value,
  onChange,
  disabled,
}: {
  value: string[] | null | undefined;
  onChange: (codes: string[] | null) => void;
  disabled: boolean;
}) {
  const { data = [] } = useQuery(ask(subjectOptions, { query: { kinds: "income" } }));
  const names = new Map(data.map((s) => [s.code, s.name]));
  return (
    <>
      <ChoiceInput
        words={WHICH}
        value={value ? "some" : "all"}
        disabled={disabled}
        onChange={(which) => onChange(which === "some" ? ["rent"] : null)}
      />
      {value && (
        <Select
          mode="multiple"
          aria-label="适用科目"
          style={{ width: "100%", marginTop: 8 }}
          value={value}
          disabled={disabled}
          placeholder="请选择"
          maxTagCount="responsive"
          optionFilterProp="label"
          options={[...names].map(([code, label]) => ({ value: code, label }))}
          onChange={onChange}
        />
      )}
    </>
  );
}
