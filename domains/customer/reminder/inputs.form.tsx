import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { ManySelect, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roleOptions } from "../../access/role/role.contract.ts";
import { listTemplates } from "../../system/template/template.contract.ts";
import { beginning, CHANNELS, type Channel } from "../../system/template/template.rules.ts";
import { allDays, dayText, dayWords, usualDays, type ReminderEvent } from "./reminder.rules.ts";
import "../record/record.css";

/** Days before and after, those that are usual first; the others are found by typing: +5, -20. */
export function DaysInput({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  event,
}: InputProps<number[]> & { event: ReminderEvent | undefined }) {
  const usual = usualDays(event);
  const option = (day: number) => ({
    value: day,
    label: dayText(day),
    note: event ? dayWords(event, day) : "",
    search: `${dayText(day)} ${event ? dayWords(event, day) : ""}`,
  });
  const others = event ? allDays(event).filter((day) => !usual.includes(day)) : [];
  return (
    <Select
      mode="multiple"
      id={id}
      value={value ?? []}
      disabled={disabled}
      placeholder="请选择提醒日"
      maxCount={10}
      showSearch={{ optionFilterProp: "search" }}
      options={[
        { label: "常用", options: usual.map(option) },
        { label: "其他", options: others.map(option) },
      ]}
      optionRender={(o) => (
        <span className="row">
          <span className="grow">{o.label}</span>
          <small className="dim">{(o.data as { note?: string }).note}</small>
        </span>
      )}
      onChange={(days: number[]) => onChange(days.toSorted((a, b) => a - b))}
      onBlur={onBlur}
    />
  );
}

const sourceOf = (channel: Channel, event: ReminderEvent | undefined): Source => ({
  call: listTemplates,
  query: { state: "on", channel, event: event ? `any,${event}` : "any" },
  option: (t: { id: number; name: string; body: string }) => ({
    value: t.id,
    label: t.name,
    note: beginning(t.body),
  }),
});

type Chosen = Partial<Record<Channel, number | null | undefined>>;

/** A text for each way, of those made for it and for the event. */
export function TemplatesInput({
  value = {},
  onChange,
  onBlur,
  disabled,
  channels,
  event,
}: InputProps<Chosen> & { channels: readonly Channel[]; event: ReminderEvent | undefined }) {
  if (!channels.length) return <p className="dim">请先选择渠道</p>;
  return (
    <div className="grid gap-4">
      {channels.map((channel) => (
        <RecordSelect
          key={channel}
          label={`${CHANNELS[channel][0]}模板`}
          prefix={CHANNELS[channel][0]}
          source={sourceOf(channel, event)}
          value={value[channel] ?? undefined}
          disabled={disabled}
          placeholder="选择模板"
          onChange={(id) => onChange({ ...value, [channel]: id })}
          {...(onBlur && { onBlur })}
        />
      ))}
    </div>
  );
}

/** Roles whose people hear of it. */
export function RolesInput(p: InputProps<number[]>) {
  const { data = [], isFetching } = useQuery(ask(roleOptions, { query: {} }));
  return (
    <ManySelect
      {...p}
      options={data.map((role) => ({ value: role.id, label: role.name }))}
      loading={isFetching}
      placeholder="请选择员工角色"
    />
  );
}
