import { plainWords } from "../../../platform/kernel/field.ts";
import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { ChoiceInput, type InputProps, ManyInput } from "../../../platform/console/inputs/inputs.tsx";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import {
  type SETTING_BLOCKS,
  copySetting,
  getVillageSetting,
  previewSettingCopy,
  setVillageSetting,
} from "./village.contract.ts";
import { CopyDialog } from "../../../platform/console/form/copy-dialog.tsx";
import "../room/places.css";

type Block = keyof typeof SETTING_BLOCKS;
const WORDS = plainWords({
  cleaning: "退房保洁",
  reservation: "预订与看房",
  lead: "客源",
  publish: "发布",
  quiet: "免打扰",
});

/** Carries rules over to other villages: what would change is shown first. */
export function SettingCopy({ from, onClose }: { from: { id: number; name: string }; onClose: () => void }) {
  const [blocks, setBlocks] = useState<Block[]>(Object.keys(WORDS) as Block[]);
  const [villageIds, setVillageIds] = useState<number[]>([]);
  const sent = { params: { id: from.id }, body: { blocks, villageIds } };
  return (
    <CopyDialog
      title={`复制 ${from.name} 的设置到…`}
      why={!blocks.length ? "请选择要复制的设置" : !villageIds.length ? "请选择门店" : undefined}
      look="预览差异"
      preview={() => send(previewSettingCopy, sent)}
      nothing="所选门店的设置都相同"
      none="没有差异"
      copy={() => send(copySetting, sent)}
      line={(c) => (
        <li key={c.field}>
          {c.title}：<del>{c.from}</del> → <b>{c.to}</b>
        </li>
      )}
      lines="changes"
      onClose={onClose}
    >
      {(forget) => (
        <div className="copying grid gap-6 sub">
          <label htmlFor="copy-blocks">设置</label>
          <ManyInput
            id="copy-blocks"
            value={blocks}
            words={WORDS}
            onChange={(next) => {
              setBlocks((next ?? []) as Block[]);
              forget();
            }}
          />
          <span>门店</span>
          <VillagesSelect
            value={villageIds}
            width={400}
            placeholder="请选择门店"
            onChange={(next) => {
              setVillageIds(next.filter((id) => id !== from.id));
              forget();
            }}
          />
        </div>
      )}
    </CopyDialog>
  );
}

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
