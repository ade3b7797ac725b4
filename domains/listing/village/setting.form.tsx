import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { getVillageSetting, setVillageSetting } from "./setting.contract.ts";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";

/** The rules of one village, edited where they stand. */
export function SettingPanel({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(getVillageSetting, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={5} />;
  return <SettingForm key={data.version} id={id} setting={data} />;
}

const KINDS = { 定金: ["定金", "grey"], 订金: ["订金", "grey"] } as const;

function SettingForm({ id, setting }: { id: number; setting: Reply<typeof getVillageSetting> }) {
  const refresh = useRefresh();
  const form = useForm<Body<typeof setVillageSetting>>(setVillageSetting.body, setting);
  const readOnly = !may("6.edit");
  const save = async () => {
    const sent = await form.submit((body) => send(setVillageSetting, { params: { id }, body }));
    if (!sent) return;
    toast("已保存，仅影响新业务");
    await refresh();
  };
  return (
    <>
      <FormFields
        form={form}
        cols={2}
        label={132}
        fields={[
          { section: "预订与看房" },
          { key: "reservationUnpaidMinutes", disabled: readOnly },
          { key: "reservationMaxDays", disabled: readOnly },
          {
            key: "earnestKind",
            disabled: readOnly,
            help: "定金不退还可以没收；订金应当退还",
            input: (p) => (
              <ChoiceInput {...p} onChange={(v) => p.onChange(v as "定金" | undefined)} words={KINDS} />
            ),
          },
          { key: "leadIdleDays", disabled: readOnly },
          { key: "showingFrom", disabled: readOnly, input: (p) => <Clock {...p} /> },
          { key: "showingTo", disabled: readOnly, input: (p) => <Clock {...p} /> },
          { section: "提醒", note: "提醒和营销消息在免打扰时段不发送，结束后再发" },
          { key: "quietFrom", disabled: readOnly, input: (p) => <Clock {...p} /> },
          { key: "quietTo", disabled: readOnly, input: (p) => <Clock {...p} /> },
          { section: "房间" },
          { key: "cleaningAfterLeave", disabled: readOnly },
          { key: "publishDefault", disabled: readOnly },
        ]}
      />
      {!readOnly && (
        <p className="acts">
          <Button look="main" busy={form.busy} why={form.dirty ? undefined : "没有修改"} run={save}>
            保存规则
          </Button>
          <Wrong form={form} />
          <span className="dim">修改只影响以后的业务，已有的预订和合同不变</span>
        </p>
      )}
    </>
  );
}

const HOURS = Array.from({ length: 48 }, (_, i) => {
  const time = `${String(Math.floor(i / 2)).padStart(2, "0")}:${i % 2 ? "30" : "00"}`;
  return { value: time, label: time };
});

const Clock = ({ value, onChange, id, disabled }: InputProps<string>) => (
  <Select
    id={id}
    disabled={disabled}
    value={value ?? null}
    options={HOURS}
    showSearch
    onChange={(next) => onChange(next ?? undefined)}
  />
);
