import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import {
  ChoiceInput,
  FlagInput,
  type InputProps,
  ManyInput,
  ManySelect,
  NumberInput,
  TextInput,
} from "../../../platform/console/inputs/inputs.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { FormFrame } from "../../../platform/console/form/form-frame.tsx";
import { Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { productOptions } from "../product/product.contract.ts";
import { ROOM_KINDS } from "../room/words.rules.ts";
import {
  ADAPTERS,
  type AdapterName,
  MAPPED,
  type MappedKind,
  type Mapping,
  SETTINGS,
  type Setting,
  startOf,
} from "./adapter.rules.ts";
import {
  type ChannelForm as Values,
  addChannel,
  channel,
  channelWords,
  disableChannel,
  editChannel,
} from "./channel.contract.ts";
import "./channel.css";

/** What stores, layouts and facilities are called outside; what is left empty goes by its own name. */
export function MappingFields({
  villageIds,
  mapping,
  onChange,
}: {
  villageIds: readonly number[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}) {
  const { data } = useQuery({
    ...ask(channelWords, { body: { villageIds: [...villageIds] } }),
    enabled: villageIds.length > 0,
  });
  if (!villageIds.length) return <Empty text="请先在发布规则中选择门店" />;
  if (!data) return <RowsSkeleton rows={6} />;
  const put = (kind: MappedKind, key: string, name: string) =>
    onChange({ ...mapping, [kind]: { ...mapping[kind], [key]: name } });
  return Object.entries(MAPPED).map(([each, [title]]) => {
    const kind = each as MappedKind;
    const words = data[kind];
    const open = words.filter((word) => !mapping[kind]?.[word.key]).length;
    if (!words.length) return null;
    return (
      <section key={kind} className="sync__map">
        <h3>
          {title} {open > 0 && <StatusTag tone="orange">未映射 {open} 项</StatusTag>}
        </h3>
        {words.map((word) => (
          <label key={word.key}>
            <span>{word.name}</span>
            <TextInput
              value={mapping[kind]?.[word.key] ?? ""}
              max={50}
              placeholder="对方的编码或名称"
              onChange={(next) => put(kind, word.key, next ?? "")}
            />
          </label>
        ))}
      </section>
    );
  });
}

function inputOf(setting: Setting) {
  return (p: InputProps<unknown>) =>
    setting.kind === "number" ? (
      <NumberInput {...(p as InputProps<number>)} unit={setting.unit} />
    ) : setting.kind === "flag" ? (
      <FlagInput {...(p as InputProps<boolean>)} />
    ) : (
      <TextInput {...(p as InputProps<string>)} max={500} placeholder="https://" />
    );
}

/** The settings of an adapter, drawn from what it says about itself. */
export function SettingFields<V>({ form, adapter }: { form: FormState<V>; adapter: AdapterName }) {
  return SETTINGS[adapter].map((setting) => (
    <OneField
      key={setting.key}
      form={form}
      path={`config.${setting.key}`}
      more={{
        title: setting.title,
        ...(setting.help && { help: setting.help }),
        must: setting.kind !== "url" || setting.must,
        input: inputOf(setting),
      }}
    />
  ));
}

/** Some of the products. */
export function ProductsInput(p: InputProps<number[]>) {
  const { data = [], isLoading } = useQuery(ask(productOptions, { query: {} }));
  return (
    <ManySelect
      {...p}
      options={data.map((product) => ({ value: product.id, label: product.name }))}
      loading={isLoading}
      placeholder="全部产品"
    />
  );
}

type Props = { id?: number; onClose: () => void; onDone?: (id: number) => void };

/** A new channel, or one that is there. */
export function ChannelForm(p: Props) {
  const { data } = useQuery({
    ...ask(channel, { params: { id: p.id ?? 0 } }),
    enabled: p.id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (p.id !== undefined && !data) return null;
  const initial: Partial<Values> & { version?: number } = data ?? {
    adapter: "feed",
    config: startOf("feed"),
    villageIds: [],
    minPictures: 3,
    leadDays: 0,
    showPrice: "exact",
    phone: "village",
    kinds: [],
    productIds: [],
    mapping: {},
  };
  return <Fields {...p} initial={initial} />;
}

function Fields({
  id,
  initial,
  onClose,
  onDone,
}: Props & { initial: Partial<Values> & { version?: number } }) {
  const refresh = useRefresh();
  const [part, setPart] = useState<"rule" | "mapping">("rule");
  const form = useForm<Values & { version?: number }>(
    (id ? editChannel.body : addChannel.body) as never,
    initial,
  );
  const { values } = form;
  const adapter = (values.adapter ?? "feed") as AdapterName;
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const save = async () => {
    setPart("rule");
    let made = id;
    const sent = await form.submit(async (body) => {
      if (id) await send(editChannel, { params: { id }, body: body as Values & { version: number } });
      else made = (await send(addChannel, { body })).id;
    });
    if (!sent) return;
    toast(id ? "渠道已保存" : "渠道已新增");
    onClose();
    onDone?.(made!);
    await refresh();
  };
  return (
    <FormFrame
      title={id ? `编辑渠道 ${initial.name ?? ""}` : "新增渠道"}
      width={720}
      form={form}
      submit={save}
      close={close}
    >
      <div className="sync__bar row gap-6 wrap">
        <ChoiceInput
          value={part}
          words={{ rule: ["发布规则", "grey"], mapping: ["映射", "grey"] }}
          onChange={(next) => setPart(next as typeof part)}
        />
      </div>
      {part === "mapping" ? (
        <MappingFields
          villageIds={values.villageIds ?? []}
          mapping={(values.mapping ?? {}) as Mapping}
          onChange={(mapping) => form.set("mapping", mapping)}
        />
      ) : (
        <FormFields
          form={form}
          fields={[
            "name",
            {
              key: "adapter",
              input: (p) => (
                <ChoiceInput
                  {...(p as InputProps<string>)}
                  words={ADAPTERS}
                  onChange={(next) => {
                    p.onChange(next as AdapterName);
                    form.set("config", startOf(next as AdapterName));
                  }}
                />
              ),
            },
            {
              show: () => (
                <div className="grid gap-11">
                  <SettingFields form={form} adapter={adapter} />
                </div>
              ),
            },
            {
              key: "villageIds",
              must: true,
              input: (p) => <VillagesInput {...(p as InputProps<number[]>)} />,
            },
            {
              key: "kinds",
              help: "不选表示全部类型",
              input: (p) => <ManyInput {...(p as unknown as InputProps<string[]>)} words={ROOM_KINDS} />,
            },
            {
              key: "productIds",
              help: "不选表示全部产品",
              input: (p) => <ProductsInput {...(p as InputProps<number[]>)} />,
            },
            {
              key: "leadDays",
              help: "0 表示空置后才发布；大于 0 时，到期前若干天且没有下一租约的房间提前发布",
            },
            "minPictures",
            "showPrice",
            "phone",
          ]}
        />
      )}
    </FormFrame>
  );
}

/** Switches a channel off, and asks what becomes of the rooms that stand there. */
export const DisableForm = ({
  channel: c,
  onClose,
}: {
  channel: { id: number; name: string; online: number; version: number };
  onClose: () => void;
}) => (
  <FormDialog
    call={disableChannel}
    params={{ id: c.id }}
    title={`停用 ${c.name}`}
    ok="停用"
    done="已停用"
    label={144}
    initial={{ version: c.version, withdraw: true }}
    fields={[{ key: "withdraw", title: `同时下架 ${c.online} 套房源` }]}
    onClose={onClose}
  />
);
