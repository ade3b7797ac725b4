import { Select } from "antd";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/formdrawer.tsx";
import type { Field } from "../../../platform/console/formfield.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs.tsx";
import { useAddress } from "../../../platform/console/page.ts";
import { useVillages } from "../../../platform/console/source.ts";
import { ROOM_KINDS } from "../../listing/room/words.rules.ts";
import { addLead, editLead, type getLead } from "./lead.contract.ts";
import { LAYOUTS } from "./lead.rules.ts";
import { KnownPhone } from "./known.panel.tsx";
import { SourceInput } from "./words.panel.tsx";

type Lead = Reply<typeof getLead>;
type Typed = Sent<typeof addLead>["body"];

function Villages({ value, onChange, onBlur, id, disabled }: InputProps<number[]>) {
  const { data = [] } = useVillages();
  return (
    <Select
      mode="multiple"
      id={id}
      value={value ?? []}
      disabled={disabled}
      placeholder="可选多个，最多10个"
      maxCount={10}
      maxTagCount="responsive"
      showSearch={{ optionFilterProp: "label" }}
      options={data.map(({ value: village, label }) => ({ value: village, label }))}
      onChange={(next: number[]) => onChange(next)}
      onBlur={onBlur}
    />
  );
}

const fieldsOf = (lead?: Lead): readonly Field<Typed>[] => [
  { section: "客户" },
  "name",
  { key: "phone", ...(lead && !lead.mine && { placeholder: `${lead.phone}，不修改请留空` }) },
  { show: (v) => <KnownPhone phone={v.phone} own={lead?.phone} />, when: (v) => Boolean(v.phone) },
  "gender",
  "level",
  {
    key: "source",
    input: (p) => <SourceInput {...p} kept={lead && { code: lead.source, name: lead.sourceName }} />,
  },
  { key: "agentName", when: (v) => v.source === "agent", must: true, placeholder: "请填写经纪人" },
  { section: "意向" },
  { key: "villageIds", wide: true, input: (p) => <Villages {...p} /> },
  {
    key: "kind",
    input: (p) => (
      <ChoiceInput
        {...p}
        value={p.value as string}
        onChange={p.onChange as never}
        words={ROOM_KINDS}
        clear
        placeholder="不限"
      />
    ),
  },
  {
    key: "layout",
    input: (p) => (
      <ChoiceInput
        {...p}
        value={p.value as string}
        onChange={p.onChange as never}
        words={LAYOUTS}
        clear
        placeholder="不限"
      />
    ),
  },
  { key: "budgetFrom", unit: "元/月" },
  { key: "budgetTo", unit: "元/月" },
  "moveInDay",
  "termMonths",
  "people",
  { key: "remark", wide: true },
];

/** What an edit starts with. A phone that is shown masked stays out: left empty it stays as it is. */
const startOf = ({ phone, mine, ...lead }: Lead) => ({ ...lead, ...(mine && { phone }) });

/** 新增客源 and 编辑客源. */
export function LeadForm({ lead, onClose }: { lead?: Lead | undefined; onClose: () => void }) {
  const [, set] = useAddress();
  const shape = { cols: 2, width: 720, ok: "保存", onClose } as const;
  return lead ? (
    <FormDrawer
      {...shape}
      call={editLead}
      title={`编辑客源 ${lead.name}`}
      done="客源已保存"
      params={{ id: lead.id }}
      initial={startOf(lead)}
      fields={fieldsOf(lead) as never}
    />
  ) : (
    <FormDrawer
      {...shape}
      call={addLead}
      title="新增客源"
      done="客源已登记"
      initial={{ level: "B" }}
      onDone={({ id }) => set({ id })}
      fields={fieldsOf()}
    />
  );
}
