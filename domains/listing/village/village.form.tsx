import { useQuery } from "@tanstack/react-query";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { districts } from "../../place/district/district.contract.ts";
import { Select } from "antd";
import { addVillage, editVillage, type village } from "./village.contract.ts";

const FIELDS: readonly Field<Body<typeof addVillage>>[] = [
  { section: "门店" },
  { key: "code", placeholder: "字母、数字、_ 或 -" },
  "name",
  { key: "shortName", help: "房间全名中使用，不填则用门店名称" },
  "mode",
  { key: "districtId", input: (p) => <DistrictSelect {...p} /> },
  { key: "address", wide: true },
  { key: "lng", placeholder: "如 120.211736" },
  { key: "lat", placeholder: "如 30.208612", help: "经纬度用于发布房源，须同时填写" },
  { section: "负责人与联系" },
  { key: "managerId", input: (p) => <ManagerSelect {...p} /> },
  { key: "phone", placeholder: "手机号或座机" },
  { key: "serviceHours", placeholder: "如 09:00-21:00" },
  "openingDay",
  { section: "介绍" },
  { key: "tags", title: "标签", wide: true, input: (p) => <TagsInput {...p} /> },
  { key: "intro", wide: true },
];

/** The basic facts of a new village, or of one that stands. A new one opens at once, so that its buildings can follow. */
export function VillageForm({
  village: known,
  onClose,
}: {
  village?: Reply<typeof village>;
  onClose: () => void;
}) {
  const [, set] = useAddress();
  const today = useToday();
  const shared = { cols: 2, width: 820, fields: FIELDS, onClose };
  if (known)
    return (
      <FormDrawer
        {...shared}
        call={editVillage}
        params={{ id: known.id }}
        initial={known}
        title={`编辑 ${known.name}`}
        done="已保存"
      />
    );
  return (
    <FormDrawer
      {...shared}
      call={addVillage}
      initial={{ mode: "centralised", openingDay: today }}
      title="新增门店"
      done="门店已新增"
      onDone={({ id }) => set({ id, part: "structure" })}
    />
  );
}

/** Districts as a tree of words: 杭州市 / 滨江区. */
function DistrictSelect(p: InputProps<number>) {
  const { data = [], isLoading } = useQuery(ask(districts));
  const byId = new Map(data.map((d) => [d.id, d]));
  const named = (d: (typeof data)[number]): string => {
    const parent = d.parentId ? byId.get(d.parentId) : undefined;
    return parent ? `${named(parent)} / ${d.name}` : d.name;
  };
  return (
    <OptionSelect
      {...p}
      loading={isLoading}
      placeholder="请选择区域"
      notFoundContent="还没有区域，请先在“区域管理”中添加"
      options={data
        .filter((d) => d.enabled || d.id === p.value)
        .map((d) => ({ value: d.id, label: named(d) }))}
    />
  );
}

/** Who may run a village: whoever may look at villages at all. */
function ManagerSelect(p: InputProps<number>) {
  const { data = [], isLoading } = useQuery(ask(listHolders, { query: { permit: "6.query" } }));
  return (
    <OptionSelect
      {...p}
      loading={isLoading}
      placeholder="请选择店长"
      options={data.map((o) => ({ value: o.id, label: `${o.realName} ${o.phone}` }))}
    />
  );
}

/** Words that people make up: typed and confirmed with Enter or a comma. */
const TagsInput = ({ value, onChange, onBlur, id, disabled, placeholder }: InputProps<string[]>) => (
  <Select
    mode="tags"
    id={id}
    value={value ?? []}
    disabled={disabled}
    open={false}
    suffixIcon={null}
    tokenSeparators={[",", "，", "、"]}
    placeholder={placeholder ?? "输入后按回车，最多 10 个"}
    onChange={(next: string[]) => onChange(next.map((tag) => tag.trim()).filter(Boolean))}
    onBlur={onBlur}
  />
);
