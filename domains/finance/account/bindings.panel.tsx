import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { RowActions } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import {
  type Binding,
  changeBinding,
  removeBinding,
  villageBindings,
  addBinding,
  copyBindings,
  previewCopy,
} from "./binding.contract.ts";
import {
  type PayChannel,
  type Terminal,
  PAY_CHANNEL,
  PURPOSE,
  PURPOSES,
  TERMINAL,
  placeText,
  PAY_TYPES,
  accountKindOf,
  unfit,
} from "./channel.rules.ts";
import { Select } from "antd";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { type InputProps, ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { AccountChoice } from "./account.form.tsx";
import { CopyDialog } from "../../../platform/console/form/copy-dialog.tsx";
import { ACCOUNT_KIND, allAccounts } from "./account.contract.ts";
import "./account.css";

/** What a village receives through, all of it or at one place, and what may be done about it. */
export function Bindings({ village, at }: { village: { id: number; name: string }; at?: At }) {
  const act = useAct();
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Binding>();
  const { data, error, refetch } = useQuery(ask(villageBindings, { query: { villageId: village.id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const rows = at ? data.filter((b) => b.terminal === at.terminal && b.payType === at.payType) : data;
  const free = PURPOSES.find((purpose) => !rows.some((b) => b.purpose === purpose));
  const actsOf = (b: Binding) => (
    <RowActions
      actions={[
        { label: "更换", does: changeBinding, run: () => setChanging(b) },
        {
          label: "移除",
          does: removeBinding,
          run: () =>
            act(
              removeBinding,
              { query: { id: b.id, version: b.version } },
              {
                done: "已移除",
                ask: {
                  title: "移除收款账户",
                  body: `移除后，${village.name}的“${placeText(b)}”不再收入“${b.accountName}”，未付款的收款码随之关闭，历史流水不变。`,
                  ok: "移除",
                },
              },
            ),
        },
      ]}
    />
  );
  const acting = may("252.edit") || may("252.delete");
  return (
    <>
      {may("252.add") && (!at || free) && (
        <p className="acts">
          <Button icon="plus" run={() => setAdding(true)}>
            {at ? "增加用途" : "配置账户"}
          </Button>
          <span className="dim">更换账户后，新账单将收入新账户，历史流水不变</span>
        </p>
      )}
      <RowTable
        schema={villageBindings.reply}
        rows={rows}
        columns={[
          ...(at ? [] : (["terminal", "payType"] as const).map((key) => plain(key))),
          plain("purpose"),
          {
            key: "accountName",
            show: (b) => (
              <>
                {b.accountName} {b.state === "disabled" && <StatusTag tone="orange">已停用</StatusTag>}
              </>
            ),
          },
          "holderName",
          ...(acting ? [{ own: "acts", title: "操作", show: actsOf }] : []),
        ]}
        flat
        emptyText="还没有配置收款账户；配置后门店才能开业和收款"
      />
      {adding && (
        <BindingForm
          village={village}
          at={at}
          purpose={at ? free! : "all"}
          onClose={() => setAdding(false)}
        />
      )}
      {changing && <ChangeForm village={village} binding={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}

const WORDS = { terminal: TERMINAL, payType: PAY_CHANNEL, purpose: PURPOSE };
/** Words without the look of a state: they only say where. */
const plain = (key: keyof typeof WORDS) => ({ key, show: (b: Binding) => (WORDS[key] as Words)[b[key]]![0] });

/** 收款账户 of one village, in its drawer. */
export default function VillageAccounts({ id }: PanelProps) {
  const { data } = useVillages();
  return <Bindings village={{ id, name: data?.find((v) => v.value === id)?.label ?? "门店" }} />;
}

export type At = { terminal: Terminal; payType: PayChannel };
type Given = Body<typeof addBinding>;

const payTypesOf = (terminal: Terminal | undefined): Words =>
  Object.fromEntries((terminal ? PAY_TYPES[terminal] : []).map((p) => [p, PAY_CHANNEL[p]]));

type BindingFormProps = {
  village: { id: number; name: string };
  at?: At | undefined;
  purpose?: Given["purpose"];
  onClose: () => void;
};

/** Gives a place of a village its account. `at` fixes the place. */
export function BindingForm({ village, at, purpose = "all", onClose }: BindingFormProps) {
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
        { key: "purpose", must: true, help: "为押金单独指定监管账户时选“押金”，其余费用仍进入“全部”的账户" },
        { key: "merchantAccountId", input: (p, v) => <FittingSelect {...p} payType={v.payType} /> },
      ]}
      onClose={onClose}
    />
  );
}

type ChangeFormProps = { village: { name: string }; binding: Binding; onClose: () => void };

/** Another account for the same place. What was taken stays where it is, and the person is told so first. */
export function ChangeForm({ village, binding, onClose }: ChangeFormProps) {
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
    <AccountChoice
      {...{ id, disabled, onChange, onBlur }}
      value={known ? value : undefined}
      loading={isFetching}
      of={fitting}
      why={(a) => unfit(payType!, a)}
      none={none}
      asks={Boolean(data)}
      search
    />
  );
}

const HOW = { fill: ["仅补充未配置的", "grey"], replace: ["一并更换已配置的", "grey"] } as const;

/** Carries a store's accounts over to others: what would change is shown first. */
export function BindingCopy({ from, onClose }: { from: { id: number; name: string }; onClose: () => void }) {
  const { data: stores = [] } = useVillages();
  const [villageIds, setVillageIds] = useState<number[]>([]);
  const [replace, setReplace] = useState(false);
  const sent = { body: { villageId: from.id, villageIds, replace } };
  return (
    <CopyDialog
      title={`复制 ${from.name} 的收款配置到…`}
      why={villageIds.length ? undefined : "请选择门店"}
      look="预览变更"
      preview={() => send(previewCopy, sent)}
      nothing="所选门店没有需要变更的配置"
      none="没有变更"
      copy={() => send(copyBindings, sent)}
      line={(c) => (
        <li key={c.place}>
          {c.place}：<del>{c.from ?? "未配置"}</del> → <b>{c.to}</b>
        </li>
      )}
      lines="accounts__changes fs-13"
      onClose={onClose}
    >
      {(forget) => (
        <>
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
                forget();
              }}
            />
            <span className="dim">方式</span>
            <ChoiceInput
              value={replace ? "replace" : "fill"}
              words={HOW}
              onChange={(how) => {
                setReplace(how === "replace");
                forget();
              }}
            />
          </div>
          <p className="sub">
            只复制公司本部的账户；门店自己持有的账户留在原门店。新账单将收入新账户，历史流水不变。
          </p>
        </>
      )}
    </CopyDialog>
  );
}
