import { Select } from "antd";
import { CLEARS } from "./clears.tsx";
import { useState, type ReactNode } from "react";
import { ManySelect, type InputProps } from "./inputs.tsx";
import type { Option, Source } from "../../kernel/filter.ts";
import { useFound, useNamed, useVillageOptions, useVillages } from "./source.ts";

type Grouped = { label: string; options: Option[] };

function grouped(options: readonly Option[]): (Option | Grouped)[] {
  const groups = Map.groupBy(options, (o) => o.group);
  if (groups.size < 2) return [...options];
  return [...groups].map(([label, list]) => ({ label: label ?? "其他", options: list }));
}

/** By name or by pinyin initials. */
const search = {
  filterOption: (typed: string, option?: Partial<Option>) =>
    (option?.search ?? option?.label ?? "").toLowerCase().includes(typed.trim().toLowerCase()),
};

/** One of a few records whose words the page has. */
export const OptionSelect = ({
  value,
  onChange,
  clear = false,
  ...more
}: InputProps<number> & {
  options: { value: number; label: string }[];
  clear?: boolean | undefined;
  loading?: boolean;
  notFoundContent?: string;
}) => (
  <Select
    value={value ?? null}
    allowClear={clear ? CLEARS : false}
    showSearch={{ optionFilterProp: "label" }}
    onChange={(next: number | null) => onChange(next ?? undefined)}
    {...more}
  />
);

/** The villages in the operator's scope. `many` for filters: nothing chosen means all. */
export function VillageSelect({ value, onChange, placeholder, ...rest }: InputProps<number>) {
  const { options, isLoading } = useVillageOptions(value === undefined ? [] : [value]);
  return (
    <Select
      {...rest}
      // in a form its label names it
      aria-label={rest.id ? undefined : "门店"}
      value={value ?? null}
      loading={isLoading}
      placeholder={placeholder ?? "请选择门店"}
      showSearch={search}
      options={grouped(options)}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

type VillagesSelectProps = {
  value: number[];
  onChange: (ids: number[]) => void;
  prefix?: ReactNode;
  width?: number;
  label?: string;
  /** Where nothing chosen does not mean all. */
  placeholder?: string;
};

export function VillagesSelect({ value, onChange, prefix, width, label, placeholder }: VillagesSelectProps) {
  const { data = [] } = useVillages();
  const { options, isLoading } = useVillageOptions(value);
  return (
    <Select
      mode="multiple"
      aria-label={label ?? "门店"}
      value={value}
      loading={isLoading}
      prefix={prefix}
      placeholder={placeholder ?? (data.length ? `全部 ${data.length} 个` : "全部")}
      maxTagCount={0}
      maxTagPlaceholder={(omitted) =>
        omitted.length === 1 ? omitted[0]?.label : `已选 ${omitted.length} 个`
      }
      popupMatchSelectWidth={220}
      showSearch={search}
      allowClear={CLEARS}
      options={grouped(options)}
      onChange={onChange}
      style={{ width: width ?? 172 }}
    />
  );
}

type DistrictsSelectProps = {
  value: readonly number[];
  onChange: (villageIds: number[]) => void;
  width?: number;
};

/**
 * Whole districts instead of their villages one by one: what is kept are the villages, so links and calls know nothing
 * of it. Not drawn where all of them lie in one.
 */
export function DistrictsSelect({ value, onChange, width = 148 }: DistrictsSelectProps) {
  const { data = [], isLoading } = useVillages();
  const districts = Map.groupBy(data, (o) => o.group ?? "其他");
  // its place is kept: what stands behind it would jump
  if (isLoading) return <span style={{ width, height: 32 }} />;
  if (districts.size < 2) return null;
  const of = (name: string) => (districts.get(name) ?? []).map((o) => o.value);
  const whole = [...districts.keys()].filter((name) => of(name).every((id) => value.includes(id)));
  return (
    <Select
      mode="multiple"
      aria-label="区域"
      prefix="区域"
      placeholder="全部"
      value={whole}
      maxTagCount={0}
      maxTagPlaceholder={(omitted) =>
        omitted.length === 1 ? omitted[0]?.label : `已选 ${omitted.length} 个`
      }
      popupMatchSelectWidth={200}
      allowClear={CLEARS}
      options={[...districts].map(([name, list]) => ({
        value: name,
        label: name,
        title: `${list.length} 个门店`,
      }))}
      onChange={(names: string[]) => {
        // villages chosen beside whole districts stay
        const left = whole.filter((name) => !names.includes(name)).flatMap(of);
        const kept = value.filter((id) => !left.includes(id));
        onChange([...new Set([...kept, ...names.flatMap(of)])]);
      }}
      style={{ width }}
    />
  );
}

export function VillagesInput({ most = 500, ...rest }: InputProps<number[]> & { most?: number }) {
  const { options, isLoading } = useVillageOptions(rest.value);
  return (
    <ManySelect
      {...rest}
      options={grouped(options)}
      loading={isLoading}
      placeholder={rest.placeholder ?? "请选择门店"}
      most={most}
      clear
      searched={search.filterOption}
    />
  );
}

/** One record out of many: what is typed is searched on the server. */
export function RecordSelect({
  value,
  onChange,
  placeholder,
  source,
  label,
  ...rest
}: InputProps<number> & { source: Source; prefix?: ReactNode; style?: React.CSSProperties; label?: string }) {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const found = useFound(source, typed, open);
  const known = (found.data ?? []).some((o) => o.value === value);
  const named = useNamed(source, value === undefined || known ? [] : [value]);
  const extra = value !== undefined && !known ? (named.data ?? []) : [];
  return (
    <Select
      {...rest}
      value={value ?? null}
      aria-label={label}
      placeholder={placeholder ?? "输入关键字搜索"}
      loading={found.isFetching}
      allowClear={CLEARS}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      popupMatchSelectWidth={260}
      notFoundContent={found.isFetching ? "搜索中" : "没有匹配的记录"}
      options={[...extra, ...(found.data ?? [])]}
      optionRender={(o) => (
        <span className="row">
          <span className="grow cut">{o.data.label}</span>
          {o.data.note && <small className="dim">{o.data.note}</small>}
        </span>
      )}
      onOpenChange={setOpen}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

/** Several records by what is typed; the note of one that can hardly be chosen says why. */
export function FoundMany({
  value,
  onChange,
  onBlur,
  id,
  source,
  most,
  ...rest
}: InputProps<number[]> & { source: Source; most: number }) {
  const [typed, setTyped] = useState("");
  const { data = [] } = useFound(source, typed, !rest.disabled);
  return (
    <Select
      {...rest}
      id={id ?? ""}
      mode="multiple"
      value={value ?? []}
      maxCount={most}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      options={data}
      optionRender={({ data: r }) => (
        <span className="row">
          <span className="grow cut">{r.label}</span>
          {r.note && <small className="s-orange">{r.note}</small>}
        </span>
      )}
      onChange={(next: number[]) => onChange(next)}
      onBlur={() => onBlur?.()}
    />
  );
}
