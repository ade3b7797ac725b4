import { useQuery } from "@tanstack/react-query";
import { Input } from "antd";
import { useState } from "react";
import type { z } from "zod";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { type Fact, Facts } from "../../../platform/console/detail/facts.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { CONFIG_SOURCES } from "../config/config.rules.ts";
import { ESIGN_ENDPOINT } from "../provider/provider.rules.ts";
import { readSignConfig, testSignProvider, writeSignConfig } from "../config/sign.contract.ts";

type Settings = Reply<typeof readSignConfig>;
type Values = z.input<typeof writeSignConfig.body>;
const FIELDS = [
  "provider",
  "appId",
  "secret",
  "endpoint",
  "signOrder",
  "linkHours",
  "readSeconds",
  "handwriting",
  "smsMinutes",
  "smsTries",
  "offlineAllowed",
  "offlineNeedsApproval",
  "timestampUrl",
] as const;

const outside = (v: { provider?: string }) => v.provider === "esign";
const OUTSIDE: readonly string[] = ["appId", "secret", "endpoint"];
/** What an outside provider does in its own way. */
const OWN: readonly string[] = ["readSeconds", "handwriting", "smsMinutes", "smsTries", "timestampUrl"];
/** What the chosen provider can be told. */
const asked = (key: string) => (v: { provider?: string }) => !(outside(v) ? OWN : OUTSIDE).includes(key);

const SHOWN: Partial<Record<string, Fact<Settings>>> = {
  secret: "secretSet",
  endpoint: { key: "endpoint", wide: true, show: (d) => d.endpoint || ESIGN_ENDPOINT },
  timestampUrl: { key: "timestampUrl", wide: true, show: (d) => d.timestampUrl || "不加时间戳" },
};

/** 签署设置: of the enterprise, or of one store; which of the two holds is said beside it. */
export default function SignSet() {
  const [villageId, setVillageId] = useState<number>();
  const [editing, setEditing] = useState(false);
  const query = villageId ? { villageId } : {};
  const { data, error, refetch } = useQuery(ask(readSignConfig, { query }));
  return (
    <section className="card stack gap-8" style={{ padding: "var(--space-8)" }}>
      <div className="row wrap">
        <span style={{ width: 240 }}>
          <VillageSelect value={villageId} onChange={setVillageId} placeholder="企业设置（全部门店）" />
        </span>
        {villageId && (
          <button type="button" className="linkish" onClick={() => setVillageId(undefined)}>
            查看企业设置
          </button>
        )}
        {data && <WordTag words={CONFIG_SOURCES} code={data.source} dot={false} />}
        {data?.version && data.updatedAt ? (
          <span className="dim">
            {data.updatedBy ?? "系统"} {timeInZone(data.updatedAt).slice(0, 16)} 修改
          </span>
        ) : null}
      </div>
      {error && !data ? <Broken error={error} retry={refetch} /> : !data && <RowsSkeleton rows={6} />}
      {data && (
        <>
          <Facts
            call={readSignConfig}
            data={data}
            cols={2}
            facts={[
              ...FIELDS.filter((key) => asked(key)(data)).map((key) => SHOWN[key] ?? (key as keyof Settings)),
            ]}
          />
          <div className="acts">
            <ActionButtons
              say
              actions={[
                {
                  label: villageId && data.source !== "village" ? "单独设置" : "修改签署设置",
                  does: writeSignConfig,
                  why: data.editable ? undefined : "企业设置影响全部门店，由可管理全部门店的人员修改",
                  run: () => setEditing(true),
                },
                ...(outside(data)
                  ? [
                      {
                        label: "测试连接",
                        does: testSignProvider,
                        run: async () => {
                          const { ok, said } = await send(testSignProvider, { query });
                          toast(said, ok ? undefined : "error");
                        },
                      },
                    ]
                  : []),
              ]}
            />
            <span className="dim">
              修改仅影响之后发起的签署；单独设置的门店同时单独保存合同参数，可在合同参数中恢复沿用
            </span>
          </div>
          {editing && <SignForm villageId={villageId} settings={data} onClose={() => setEditing(false)} />}
        </>
      )}
    </section>
  );
}

type FormProps = {
  villageId: number | undefined;
  settings: Settings;
  onClose: () => void;
};

function SignForm({ villageId, settings, onClose }: FormProps) {
  const refresh = useRefresh();
  const form = useForm<Values>(writeSignConfig.body, settings);
  const first = settings.version === 0;
  const save = async () => {
    const query = villageId ? { villageId } : {};
    const sent = await form.submit((body) => send(writeSignConfig, { query, body }));
    if (!sent) return;
    toast("签署设置已保存");
    onClose();
    await refresh();
  };
  return (
    <Drawer
      title="签署设置"
      modal
      onClose={onClose}
      footer={
        <Foot form={form} cancel={onClose} note={<span className="sub">仅影响之后发起的签署</span>}>
          <Button look="main" busy={form.busy} why={form.dirty || first ? undefined : "没有修改"} run={save}>
            保存
          </Button>
        </Foot>
      }
    >
      <FormFields
        form={form}
        fields={[
          "provider",
          {
            show: () => (
              <p className="sub">客户在e签宝的页面签署，应用所属企业在e签宝自动盖章，不使用系统内的印章。</p>
            ),
            when: outside,
          },
          ...FIELDS.slice(1).map(fieldOf),
        ]}
        label={128}
      />
    </Drawer>
  );
}

const fieldOf = (key: (typeof FIELDS)[number]): Field<Values> =>
  key === "secret"
    ? { key, when: asked(key), input: (p) => <Secret {...p} /> }
    : ({ key, when: asked(key) } as Field<Values>);

const Secret = ({ value, onChange, ...rest }: InputProps<string>) => (
  <Input.Password
    {...rest}
    value={value ?? ""}
    autoComplete="new-password"
    onChange={(event) => onChange(event.target.value || undefined)}
  />
);
