import { Select } from "antd";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { FlagInput, MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { typedFen, typedNumber } from "../../../platform/console/inputs/typed-text.ts";
import { OPS, type ActField, type Condition, type Op } from "../examine/condition.rules.ts";

type FieldInputProps = {
  field: ActField | undefined;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
};

/** The typed value of a field of an act. Flags are 1 and 0. */
export function FieldInput({ field, value, onChange }: FieldInputProps) {
  if (field?.kind === "money") return <MoneyInput value={value} onChange={onChange} />;
  if (field?.kind === "flag")
    return (
      <FlagInput
        value={value === undefined ? undefined : value === 1}
        onChange={(yes) => onChange(yes ? 1 : 0)}
      />
    );
  return (
    <NumberInput
      value={value}
      onChange={onChange}
      unit={field?.kind === "percent" ? "%" : (field?.unit ?? "")}
    />
  );
}

type ValuesInputProps = {
  field: ActField | undefined;
  value: readonly number[];
  onChange: (value: number[]) => void;
};

/** Several values: each is ended by Enter or 、, for a comma groups thousands. What is no number of the field's kind is not taken. */
function ValuesInput({ field, value, onChange }: ValuesInputProps) {
  const money = field?.kind === "money";
  const read = (text: string) => (money ? typedFen(text) : typedNumber(text));
  return (
    <Select
      mode="tags"
      className="proc__many"
      aria-label="条件值"
      open={false}
      suffixIcon={
        <span className="unit">{money ? "元" : field?.kind === "percent" ? "%" : field?.unit}</span>
      }
      placeholder="回车添加，最多20个"
      maxCount={20}
      tokenSeparators={["，", "、", " "]}
      value={value.map((v) => (money ? yuan(v, false) : String(v)))}
      onChange={(texts: string[]) =>
        onChange([...new Set(texts.map(read))].filter((v): v is number => v !== undefined && v >= 0))
      }
    />
  );
}

/** Yes and no is one or the other. */
const opsOf = (field: ActField | undefined): Op[] =>
  field?.kind === "flag" ? ["eq"] : ["gte", "gt", "eq", "lte", "lt", "in"];

type ConditionLineProps = {
  fields: readonly ActField[];
  value: Condition;
  error: string | undefined;
  onChange: (next: Condition) => void;
  onRemove: () => void;
};

export function ConditionLine({ fields, value, error, onChange, onRemove }: ConditionLineProps) {
  const field = fields.find((f) => f.key === value.field);
  return (
    <div className={`proc__cond ${error ? "fi--bad" : ""}`}>
      <Select
        aria-label="条件字段"
        value={value.field}
        options={fields.map((f) => ({ value: f.key, label: f.title }))}
        onChange={(key: string) =>
          onChange({
            field: key,
            op: opsOf(fields.find((f) => f.key === key))[0]!,
            value: undefined as never,
          })
        }
      />
      <Select
        aria-label="比较方式"
        value={value.op}
        options={opsOf(field).map((op) => ({ value: op, label: OPS[op][0] }))}
        onChange={(op: Op) => {
          const [first] = [value.value].flat();
          const several = first === undefined ? [] : [first];
          onChange({ ...value, op, value: op === "in" ? several : (first as number) });
        }}
      />
      {value.op === "in" ? (
        <ValuesInput
          field={field}
          value={[value.value].flat()}
          onChange={(next) => onChange({ ...value, value: next })}
        />
      ) : (
        <FieldInput
          field={field}
          value={[value.value].flat()[0]}
          onChange={(next) => onChange({ ...value, value: next as number })}
        />
      )}
      <IconButton icon="close" small label="删除条件" run={onRemove} />
      {error && (
        <p className="fi__msg" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
