import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, ManyInput } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { QUIET } from "../push/push.rules.ts";
import { DaysInput, RolesInput, TemplatesInput } from "./inputs.form.tsx";
import { addReminder, editReminder, getReminder } from "./reminder.contract.ts";
import { EVENTS, goesAt, ofBills, RECEIVERS, STOPS, type ReminderEvent } from "./reminder.rules.ts";

type Typed = Sent<typeof addReminder>["body"];
type Set = (path: string, value: unknown) => void;

/** The days that most companies speak on. */
const USUAL: Record<ReminderEvent, number[]> = {
  billDue: [-7, -3, 0],
  overdue: [1, 3, 7, 15],
  contractEnd: [-60, -30],
  reservationEnd: [-3, -1],
};
const START: Partial<Typed> = {
  event: "overdue",
  offsets: USUAL.overdue,
  sendAt: "09:00",
  channels: ["sms"],
  templateIds: {},
  receivers: ["renter", "company", "merchant"],
  mergePerPayer: true,
  stopOn: ["disputed", "promised"],
  monthlyCap: 10,
};

const fields = (set: Set): readonly Field<Typed>[] => [
  { section: "1 时间" },
  { key: "name", wide: true },
  {
    key: "event",
    wide: true,
    input: (p) => (
      <ChoiceInput
        {...p}
        words={EVENTS}
        onChange={(event) => {
          // days and texts are the event's own
          p.onChange(event as ReminderEvent);
          set("offsets", USUAL[event as ReminderEvent]);
          set("templateIds", {});
        }}
      />
    ),
  },
  {
    key: "offsets",
    wide: true,
    input: (p, v) => <DaysInput {...p} event={v.event} />,
    help: "应收日、合同到期日或预订保留期满之前、当天或之后的天数",
  },
  {
    key: "sendAt",
    help: (v) =>
      v.sendAt && goesAt(v.sendAt).moved
        ? `多数门店 ${QUIET.from}-${QUIET.to} 免打扰，将于 ${goesAt(v.sendAt).at} 发送`
        : "在门店的免打扰时段之外",
  },
  { section: "2 内容" },
  {
    key: "channels",
    wide: true,
    input: (p) => <ManyInput {...p} words={CHANNELS} onChange={p.onChange as never} />,
  },
  {
    key: "templateIds",
    wide: true,
    must: true,
    input: (p, v) => <TemplatesInput {...p} channels={v.channels ?? []} event={v.event} />,
  },
  { key: "mergePerPayer", help: "同一客户同一天有多笔时只发一条" },
  { section: "3 对象" },
  {
    key: "villageIds",
    wide: true,
    placeholder: "全部门店",
    input: (p) => <VillagesInput {...p} />,
    help: "不选为全部门店，以后新开的门店也包括在内",
  },
  {
    key: "receivers",
    wide: true,
    input: (p) => <ManyInput {...p} words={RECEIVERS} onChange={p.onChange as never} />,
    help: "员工在站内收到本门店当天的汇总",
  },
  {
    key: "roleIds",
    wide: true,
    must: true,
    when: (v) => v.receivers?.includes("operator") ?? false,
    input: (p) => <RolesInput {...p} />,
  },
  {
    key: "stopOn",
    when: (v) => v.event !== undefined && ofBills(v.event),
    input: (p) => <ManyInput {...p} words={STOPS} onChange={p.onChange as never} placeholder="不暂停" />,
    help: "已付清的不再提醒；以下情况暂停提醒",
  },
  { key: "monthlyCap", help: "每人每个渠道，所有自动提醒合计" },
];

const SHAPE = { cols: 2, width: 720, fields } as const;

/** 新增规则: off until somebody switches it on. */
export const AddRule = ({ onClose }: { onClose: () => void }) => (
  <FormDrawer
    {...SHAPE}
    call={addReminder}
    title="新增提醒规则"
    done="规则已保存，启用后生效"
    initial={START}
    onClose={onClose}
  />
);

const startOf = (rule: Reply<typeof getReminder>) => ({
  ...rule,
  templateIds: Object.fromEntries(rule.ways.map((way) => [way.channel, way.templateId])),
});

export function EditRule({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useCurrent(ask(getReminder, { params: { id } }));
  if (!data) return null;
  return (
    <FormDrawer
      {...SHAPE}
      call={editReminder}
      title={`编辑规则 ${data.name}`}
      done="规则已保存"
      params={{ id }}
      initial={startOf(data)}
      onClose={onClose}
    />
  );
}
