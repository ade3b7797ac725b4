import { Input, Select } from "antd";
import { CLEARS } from "../inputs/clears.tsx";
import { DayInput, DayRange, MonthInput } from "../inputs/days.tsx";
import { titleOf, type Filter } from "./filter.ts";
import { MoneyInput, NumberInput } from "../inputs/inputs.tsx";
import type { Patch } from "../screens/page.ts";
import { RecordSelect, VillagesSelect } from "../inputs/selects.tsx";

type Props = {
  f: Filter;
  params: URLSearchParams;
  typed: Record<string, string>;
  type: (key: string, value: string) => void;
  apply: (patch: Patch) => void;
};

const fen = (text: string | null) => (text ? Number(text) : undefined);

/** The input of one filter. A choice acts at once; words wait for Enter. */
export function FilterInput({ f, params, typed, type, apply }: Props) {
  const label = <span className="lab">{titleOf(f)}</span>;
  switch (f.kind) {
    case "keyword":
      return (
        <label className="filters__kw row">
          <span className="sr">搜索</span>
          <input
            value={typed[f.key] ?? params.get(f.key) ?? ""}
            placeholder={f.title}
            maxLength={60}
            onChange={(event) => type(f.key, event.target.value)}
          />
          <kbd>/</kbd>
        </label>
      );
    case "text":
      return (
        <Input
          aria-label={f.title}
          prefix={label}
          value={typed[f.key] ?? params.get(f.key) ?? ""}
          maxLength={60}
          style={{ width: 200 }}
          onChange={(event) => type(f.key, event.target.value)}
        />
      );
    case "village":
      return (
        <VillagesSelect
          label={titleOf(f)}
          prefix={label}
          value={ids(params.get(f.key))}
          onChange={(next) => apply({ [f.key]: next })}
        />
      );
    case "choice":
      return <Choice f={f} value={params.get(f.key)} apply={apply} />;
    case "flag":
      return (
        <Select
          aria-label={f.title}
          prefix={label}
          value={params.get(f.key)}
          allowClear={CLEARS}
          placeholder="全部"
          style={{ width: 150 }}
          options={[
            { value: "true", label: "是" },
            { value: "false", label: "否" },
          ]}
          onChange={(v) => apply({ [f.key]: v })}
        />
      );
    case "record":
      return (
        <RecordSelect
          source={f.source}
          label={f.title}
          prefix={label}
          value={fen(params.get(f.key))}
          placeholder="全部"
          style={{ width: 200 }}
          onChange={(v) => apply({ [f.key]: v })}
        />
      );
    case "days":
      return (
        <DayRange
          label={f.title}
          value={{ from: params.get(f.from) ?? undefined, to: params.get(f.to) ?? undefined }}
          onChange={(r) => apply({ [f.from]: r.from, [f.to]: r.to })}
        />
      );
    case "day":
      return (
        <DayInput
          placeholder={f.title}
          value={params.get(f.key) ?? undefined}
          onChange={(v) => apply({ [f.key]: v })}
        />
      );
    case "month":
      return (
        <MonthInput
          placeholder={f.title}
          value={params.get(f.key) ?? undefined}
          onChange={(v) => apply({ [f.key]: v })}
        />
      );
    case "money":
    case "range": {
      const FromTo = f.kind === "money" ? MoneyInput : NumberInput;
      const unit = f.kind === "range" ? f.unit : undefined;
      return (
        <span className="row filters__money" role="group" aria-label={f.title}>
          {[f.from, f.to].map((key, i) => (
            <FromTo
              key={key}
              placeholder={i === 0 ? `${f.title} 从` : "到"}
              {...(unit && { unit })}
              value={fen(typed[key] ?? params.get(key))}
              onChange={(v) => type(key, v === undefined || Number.isNaN(v) ? "" : String(v))}
              onBlur={() => typed[key] !== undefined && apply({ [key]: typed[key] })}
            />
          ))}
        </span>
      );
    }
  }
}

const ids = (text: string | null): number[] => (text ? text.split(",").map(Number) : []);

type ChoiceProps = { f: Filter & { kind: "choice" }; value: string | null; apply: (patch: Patch) => void };
function Choice({ f, value, apply }: ChoiceProps) {
  const options = Object.entries(f.words).map(([code, [text]]) => ({ value: code, label: text }));
  const common = {
    "aria-label": f.title,
    prefix: <span className="lab">{f.title}</span>,
    placeholder: "全部",
    allowClear: CLEARS,
    options,
    popupMatchSelectWidth: 160,
    style: { width: 172 },
  };
  if (!f.many)
    return <Select {...common} value={value} onChange={(v: string | null) => apply({ [f.key]: v })} />;
  return (
    <Select
      {...common}
      mode="multiple"
      maxTagCount={0}
      maxTagPlaceholder={(omitted) =>
        omitted.length === 1 ? omitted[0]?.label : `已选 ${omitted.length} 项`
      }
      value={value ? value.split(",") : []}
      onChange={(v: string[]) => apply({ [f.key]: v })}
    />
  );
}
