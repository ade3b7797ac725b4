import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "antd";
import type { Sent } from "../../../platform/kernel/call.ts";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { ALWAYS, MESSAGE_TYPES, TYPE_NUMBERS } from "./message.rules.ts";
import { getMessageSetting, HOURS, putMessageSetting } from "./message.contract.ts";
import "./message.css";

type Types = Sent<typeof putMessageSetting>["body"]["types"];

const Types = ({
  value = [],
  onChange,
  disabled,
  label,
  forced = [],
}: InputProps<Types> & { label: string; forced?: readonly number[] }) => (
  <div className="message__types" role="group" aria-label={label}>
    {TYPE_NUMBERS.map((type) => {
      const code = `${type}` as const;
      const always = forced.includes(type);
      return (
        <Checkbox
          key={type}
          checked={always || value.includes(code)}
          disabled={always || (disabled ?? false)}
          onChange={(event) =>
            onChange(event.target.checked ? [...value, code] : value.filter((other) => other !== code))
          }
        >
          {MESSAGE_TYPES[type][0]}
          {always && <small className="dim">（必收）</small>}
        </Checkbox>
      );
    })}
  </div>
);

/** 接收设置: what arrives, and when the bell is quiet. */
export function MessageSettingForm({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(ask(getMessageSetting));
  if (!data)
    return (
      <Drawer title="接收设置" width={520} modal onClose={onClose}>
        {error ? <Broken error={error} retry={refetch} /> : <RowsSkeleton rows={5} />}
      </Drawer>
    );
  return (
    <FormDrawer
      call={putMessageSetting}
      title="接收设置"
      done="接收设置已保存"
      width={520}
      initial={data}
      onClose={onClose}
      fields={[
        { key: "types", input: (p) => <Types {...p} label="站内接收" forced={ALWAYS} /> },
        { key: "mailed", input: (p) => <Types {...p} label="邮件接收" /> },
        { key: "texted", input: (p) => <Types {...p} label="短信接收" /> },
        { section: "免打扰", note: "此时段内铃铛不显示未读数，短信和邮件在结束后发出，消息照常收到" },
        { key: "quietFrom", title: "开始", input: (p) => <ChoiceInput {...p} words={HOURS} clear /> },
        { key: "quietTo", title: "结束", input: (p) => <ChoiceInput {...p} words={HOURS} clear /> },
        { section: "设备告警", note: "只接收本人门店的告警" },
        "alarmLevel",
      ]}
    />
  );
}
