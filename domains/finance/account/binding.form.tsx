import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { ACCOUNT_KIND, allAccounts } from "./account.contract.ts";
import { type Binding, addBinding, changeBinding, copyBindings, previewCopy } from "./binding.contract.ts";
import {
  PAY_CHANNEL,
  PAY_TYPES,
  type PayChannel,
  type Terminal,
  accountKindOf,
  placeText,
  unfit,
} from "./channel.rules.ts";

export type At = { terminal: Terminal; payType: PayChannel };
type Given = Body<typeof addBinding>;

const payTypesOf = (terminal: Terminal | undefined): Words =>
  Object.fromEntries((terminal ? PAY_TYPES[terminal] : []).map((p) => [p, PAY_CHANNEL[p]]));

/** Gives a place of a village its account. `at` fixes the place. */
export function BindingForm({
  village,
  at,
  purpose = "all",
  onClose,
}: {
  village: { id: number; name: string };
  at?: At | undefined;
  purpose?: Given["purpose"];
  onClose: () => void;
}) {
  return (
    <FormDialog
      call={addBinding}
      title={`配置收款账户 · ${village.name}`}
      width={520}
      initial={{ villageId: village.id, purpose, ...(at ?? { terminal: "counter" }) } as Partial<Given>}
      done="收款账户已配置"
      fields={[
        { key: "terminal", disabled: Boolean(at) },
        {
          key: "payType",
          disabled: Boolean(at),
          input: (p, v) => (
            <ChoiceInput
              {...p}
              words={payTypesOf(v.terminal)}
              onChange={(code) => p.onChange(code as PayChannel | undefined)}
            />
          ),
        },
        {
          key: "purpose",
          must: true,
          help: "为押金单独指定监管账户时选“押金”，其余费用仍进入“全部”的账户",
        },
        { key: "merchantAccountId", input: (p, v) => <FittingSelect {...p} payType={v.payType} /> },
      ]}
      onClose={onClose}
    />
  );
}

/** Another account for the same place. What was taken stays where it is, and the person is told so first. */
export function ChangeForm({
  village,
  binding,
  onClose,
}: {
  village: { name: string };
  binding: Binding;
  onClose: () => void;
}) {
  const act = useAct();
  const [chosen, setChosen] = useState<number | undefined>(binding.merchantAccountId);
  const change = async () => {
    const done = await act(
      changeBinding,
      { body: { id: binding.id, version: binding.version, merchantAccountId: chosen! } },
      {
        done: "收款账户已更换",
        ask: { title: "更换收款账户", body: "新账单将收入新账户，历史流水不变。", ok: "确定更换" },
      },
    );
    if (done) onClose();
  };
  const why = !chosen ? "请选择账户" : chosen === binding.merchantAccountId ? "账户没有变化" : undefined;
  return (
    <Dialog
      title={`更换收款账户 · ${village.name}`}
      width={480}
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" why={why} run={change}>
            更换
          </Button>
        </Foot>
      }
    >
      <div className="accounts__change grid gap-6">
        <span className="dim">位置</span>
        <span>{placeText(binding)}</span>
        <span className="dim">现账户</span>
        <span>{binding.accountName}</span>
        <label className="dim" htmlFor="change-account">
          新账户
        </label>
        <FittingSelect id="change-account" value={chosen} payType={binding.payType} onChange={setChosen} />
      </div>
    </Dialog>
  );
}

/** Accounts in scope that can take a pay type; the ones switched off stand greyed. */
function FittingSelect({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  payType,
}: InputProps<number> & { payType: PayChannel | undefined }) {
  const { data, isFetching } = useQuery(ask(allAccounts, { query: {} }));
  const fitting = payType ? (data ?? []).filter((a) => a.kind === accountKindOf(payType)) : [];
  const none = payType
    ? `还没有${ACCOUNT_KIND[accountKindOf(payType)][0]}账户，请先在“账户”中新增`
    : "请先选择支付方式";
  const known = value === undefined || fitting.some((a) => a.id === value);
  return (
    <Select
      id={id ?? ""}
      value={known ? (value ?? null) : null}
      loading={isFetching}
      disabled={disabled ?? false}
      placeholder={data && !fitting.length ? none : "请选择账户"}
      notFoundContent={none}
      showSearch={{ optionFilterProp: "label" }}
      options={fitting.map((a) => ({
        value: a.id,
        label: a.name,
        disabled: !a.enabled,
        why: unfit(payType!, a),
      }))}
      optionRender={({ data: a }) => (
        <span className="row">
          <span className="grow cut">{a.label}</span>
          {a.why && <small className="dim">{a.why}</small>}
        </span>
      )}
      onChange={(next: number | null) => onChange(next ?? undefined)}
      {...(onBlur && { onBlur })}
    />
  );
}

const HOW = { fill: ["仅补充未配置的", "grey"], replace: ["一并更换已配置的", "grey"] } as const;

/** Carries a store's accounts over to others: what would change is shown first. */
export function BindingCopy({ from, onClose }: { from: { id: number; name: string }; onClose: () => void }) {
  const refresh = useRefresh();
  const { data: stores = [] } = useVillages();
  const [villageIds, setVillageIds] = useState<number[]>([]);
  const [replace, setReplace] = useState(false);
  const [told, setTold] = useState<Reply<typeof previewCopy>>();
  const sent = { body: { villageId: from.id, villageIds, replace } };
  const changed = told?.filter((store) => store.changes.length) ?? [];
  const copy = async () => {
    await send(copyBindings, sent);
    toast(`已复制到 ${changed.length} 个门店`);
    onClose();
    await refresh();
  };
  const footer = (
    <Foot cancel={onClose}>
      {told ? (
        <Button look="main" why={changed.length ? undefined : "所选门店没有需要变更的配置"} run={copy}>
          确认复制
        </Button>
      ) : (
        <Button
          look="main"
          why={villageIds.length ? undefined : "请选择门店"}
          run={async () => setTold(await send(previewCopy, sent))}
        >
          预览变更
        </Button>
      )}
    </Foot>
  );
  return (
    <Dialog title={`复制 ${from.name} 的收款配置到…`} width={560} footer={footer} onClose={onClose}>
      <div className="accounts__change grid gap-6">
        <span className="dim">门店</span>
        <Select
          mode="multiple"
          aria-label="复制到的门店"
          placeholder="请选择门店"
          value={villageIds}
          maxTagCount="responsive"
          showSearch={{ optionFilterProp: "search" }}
          options={stores.filter((store) => store.value !== from.id)}
          onChange={(next) => {
            setVillageIds(next);
            setTold(undefined);
          }}
        />
        <span className="dim">方式</span>
        <ChoiceInput
          value={replace ? "replace" : "fill"}
          words={HOW}
          onChange={(how) => {
            setReplace(how === "replace");
            setTold(undefined);
          }}
        />
      </div>
      <p className="sub">
        只复制公司本部的账户；门店自己持有的账户留在原门店。新账单将收入新账户，历史流水不变。
      </p>
      {told?.map((store) => (
        <section key={store.villageId}>
          <h3 className="form__section">{store.villageName}</h3>
          {store.changes.length ? (
            <ul className="accounts__changes">
              {store.changes.map((c) => (
                <li key={c.place}>
                  {c.place}：<del>{c.from ?? "未配置"}</del> → <b>{c.to}</b>
                </li>
              ))}
            </ul>
          ) : (
            <p className="dim">没有变更</p>
          )}
        </section>
      ))}
    </Dialog>
  );
}
