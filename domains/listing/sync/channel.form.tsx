import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { ChoiceInput, ManyInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { ROOM_KINDS } from "../room/words.rules.ts";
import { startOf } from "./adapter.rules.ts";
import { addChannel, channel, editChannel, type ChannelForm as Values } from "./channel.contract.ts";
import { MappingFields } from "./mapping.form.tsx";
import { ProductsInput } from "./products.form.tsx";
import { SettingFields } from "./setting.form.tsx";
import { ADAPTERS, type AdapterName, type Mapping } from "./words.rules.ts";
import "./sync.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

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
    <Drawer
      title={id ? `编辑渠道 ${initial.name ?? ""}` : "新增渠道"}
      width={720}
      modal
      onClose={() => void close()}
      footer={
        <Foot form={form} cancel={close}>
          <Button look="main" busy={form.busy} run={() => void save()}>
            保存
          </Button>
        </Foot>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
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
        <button type="submit" hidden aria-hidden />
      </form>
    </Drawer>
  );
}
