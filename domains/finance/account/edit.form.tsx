import { useQuery } from "@tanstack/react-query";
import { Input, Select } from "antd";
import { useState } from "react";
import { brandNow } from "../../../platform/console/brand/brand.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { sha256 } from "../../../platform/console/calls/sha256.ts";
import { type Body, FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, type InputProps, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import {
  addMerchantAccount,
  allAccounts,
  editAccount,
  type getAccount,
  setKeys,
} from "./account.contract.ts";
import {
  APP_TERMINALS,
  type AppId,
  HANDOVER,
  HEAD,
  type KeyName,
  extraKeysOf,
  hasField,
  keysOf,
} from "./account.rules.ts";

type Given = Body<typeof addMerchantAccount>;
type Shown = Partial<Given>;
const has = (field: Parameters<typeof hasField>[1]) => (v: Shown) => hasField(v.kind, field);
const FIXED = "账户已有流水，不能修改";

const fieldsFor = (used: boolean): readonly Field<Given>[] => {
  const fixed = used ? { disabled: true, help: FIXED } : {};
  return [
    { section: "账户" },
    "name",
    { key: "kind", ...fixed },
    { key: "holderVillageId", ...fixed, input: (p) => <HolderSelect {...p} /> },
    { key: "supervised", help: "押金等须专户存放的资金" },
    { section: "商户与账号", when: (v) => v.kind !== undefined && v.kind !== "cash" },
    {
      key: "mchId",
      must: true,
      when: (v) => has("mchId")(v) && v.kind !== "alipay",
      placeholder: "8-10位数字",
    },
    {
      key: "mchId",
      must: true,
      title: "支付宝PID",
      when: (v) => v.kind === "alipay",
      placeholder: "2088开头的16位数字",
    },
    { key: "subMchId", when: has("subMchId"), help: "服务商模式下的特约商户号" },
    { key: "terminalNo", when: has("terminalNo") },
    { key: "appIds", wide: true, when: has("appIds"), input: (p) => <AppIdInputs {...p} /> },
    { key: "bankName", must: true, when: has("bankName") },
    { key: "accountName", must: true, when: has("accountName") },
    { key: "bankAccountNo", must: true, when: has("bankAccountNo"), placeholder: "6-30位数字，可带 -" },
    {
      key: "statementMode",
      must: true,
      ...fixed,
      when: (v) => v.kind === "bank",
      help: used ? FIXED : "认领：到账后逐笔认领；对账：收款时登记，再与对账单核对",
    },
    { key: "certExpiresOn", when: has("certExpiresOn") },
    { section: "费用与结算", when: has("fee") },
    { key: "feeRate", when: has("fee"), help: "0-5%，最多四位小数" },
    { key: "feeCap", when: has("fee"), help: "每笔手续费不超过" },
    {
      key: "handover",
      when: has("handover"),
      input: (p) => (
        <ChoiceInput
          {...p}
          value={String(p.value ?? false)}
          words={HANDOVER}
          onChange={(code) => p.onChange(code === "true")}
        />
      ),
    },
    { key: "settleDays", when: (v) => has("settling")(v) && !v.handover },
    { key: "settleToAccountId", when: has("settling"), input: (p) => <BankSelect {...p} /> },
  ];
};

type AccountFormProps = {
  account?: Reply<typeof getAccount>;
  onClose: () => void;
  onAdded?: (id: number) => unknown;
};

/** A new account, or one that stands. Keys are set apart, by who may. */
export function AccountForm({ account, onClose, onAdded }: AccountFormProps) {
  const shared = { cols: 2, width: 760, onClose };
  if (account)
    return (
      <FormDrawer
        {...shared}
        call={editAccount}
        params={{ id: account.id }}
        initial={account}
        fields={fieldsFor(account.used) as readonly Field<Body<typeof editAccount>>[]}
        title={`修改 ${account.name}`}
        done="已保存"
      />
    );
  return (
    <FormDrawer
      {...shared}
      call={addMerchantAccount}
      initial={{ holderVillageId: 0, supervised: false, feeRate: 0, settleDays: 1 }}
      fields={fieldsFor(false)}
      title="新增账户"
      done="账户已新增"
      onDone={({ id }) => onAdded?.(id)}
    />
  );
}

/** Head office or a village in scope. */
function HolderSelect({ value, onChange, onBlur, id, disabled }: InputProps<number>) {
  const { data = [], isLoading } = useVillages();
  return (
    <Select
      id={id}
      value={value ?? null}
      loading={isLoading}
      disabled={disabled}
      placeholder="请选择持有方"
      showSearch={{ optionFilterProp: "label" }}
      options={[{ value: 0, label: HEAD }, ...data.map(({ value: of, label }) => ({ value: of, label }))]}
      onChange={(next: number | null) => onChange(next ?? undefined)}
      onBlur={onBlur}
    />
  );
}

function BankSelect({ value, onChange, onBlur, id, disabled }: InputProps<number>) {
  const { data = [], isLoading } = useQuery(ask(allAccounts, { query: {} }));
  return (
    <Select
      id={id}
      value={value ?? null}
      loading={isLoading}
      disabled={disabled}
      allowClear={CLEARS}
      placeholder="结算到的银行账户"
      notFoundContent="还没有银行账户"
      options={data.filter((a) => a.kind === "bank").map((a) => ({ value: a.id, label: a.name }))}
      // null clears what stood there
      onChange={(next: number | null) => onChange((next ?? null) as number)}
      onBlur={onBlur}
    />
  );
}

/** The AppID of each terminal that pays through WeChat's own window. */
function AppIdInputs({ value = [], onChange, onBlur, disabled }: InputProps<AppId[]>) {
  const set = (terminal: AppId["terminal"], appId: string) =>
    onChange([...value.filter((a) => a.terminal !== terminal), ...(appId ? [{ terminal, appId }] : [])]);
  return (
    <div className="grid gap-4">
      {(Object.keys(APP_TERMINALS) as AppId["terminal"][]).map((terminal) => (
        <Input
          key={terminal}
          prefix={<span className="dim">{APP_TERMINALS[terminal]}</span>}
          aria-label={`${APP_TERMINALS[terminal]}的AppID`}
          placeholder="wx…"
          maxLength={32}
          disabled={disabled ?? false}
          value={value.find((a) => a.terminal === terminal)?.appId ?? ""}
          onChange={(event) => set(terminal, event.target.value.trim())}
          {...(onBlur && { onBlur })}
        />
      ))}
    </div>
  );
}

/** Keys go in and never come out again; the operator's password goes with them. */
export function KeysForm({ account, onClose }: { account: Reply<typeof getAccount>; onClose: () => void }) {
  const set = new Set(account.keySet.map((k) => k.name));
  const placeholder = (name: KeyName) => (set.has(name) ? "已设置，留空则不更换" : undefined);
  const key = (name: KeyName): Field<Body<typeof setKeys>> => ({
    key: name,
    must: keysOf(account.kind).includes(name) && !set.has(name),
    placeholder: placeholder(name),
    input: (p) =>
      name === "privateKey" ? (
        <KeyFile {...p} />
      ) : name === "apiV3Key" ? (
        <Secret {...p} />
      ) : name === "certSerialNo" || name === "wechatKeyId" ? (
        <TextInput {...p} max={80} />
      ) : (
        <TextInput {...p} rows={3} />
      ),
  });
  return (
    <FormDialog
      call={setKeys}
      params={{ id: account.id }}
      initial={{ version: account.version }}
      title={`${set.size ? "更换" : "设置"}密钥 · ${account.name}`}
      width={560}
      done="密钥已保存"
      fields={[
        { show: () => <p className="sub">密钥加密保存，设置后不再显示；保存时须再次输入您的登录密码。</p> },
        ...[...keysOf(account.kind), ...extraKeysOf(account.kind)].map(key),
        ...(hasField(account.kind, "certExpiresOn")
          ? ["certExpiresOn" as const satisfies keyof Body<typeof setKeys>]
          : []),
        { key: "password", input: (p) => <Password {...p} /> },
      ]}
      onClose={onClose}
    />
  );
}

export const Secret = ({ value, onChange, ...rest }: InputProps<string>) => (
  <Input.Password
    {...rest}
    value={value ?? ""}
    autoComplete="new-password"
    onChange={(event) => onChange(event.target.value || undefined)}
  />
);

/** The form holds only what is sent: the password hashed as at the log-in. */
export function Password({ value: _, onChange, ...rest }: InputProps<string>) {
  const [typed, setTyped] = useState("");
  return (
    <Input.Password
      {...rest}
      value={typed}
      autoComplete="new-password"
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        let hash = text;
        for (let i = 0; i < brandNow().passwordHashTimes; i++) hash = sha256(hash);
        onChange(text ? hash : undefined);
      }}
    />
  );
}

/** Read here and sent as text: the file itself is kept nowhere. */
function KeyFile({ value, onChange, id, disabled, placeholder }: InputProps<string>) {
  const [name, setName] = useState("");
  return (
    <label className="keyfile row">
      <Icon name="upload" size={14} />
      <span className={value ? "" : "dim"}>
        {value ? name || "已选择" : (placeholder ?? "选择 apiclient_key.pem")}
      </span>
      <input
        id={id}
        className="sr"
        type="file"
        accept=".pem,.key"
        disabled={disabled}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (!file) return;
          setName(file.name);
          // what is far too long for a key need not be read to the end
          void file.slice(0, 10_000).text().then(onChange);
        }}
      />
    </label>
  );
}
