import { Input } from "antd";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { brandNow } from "../../../platform/console/brand/brand.ts";
import { FormDialog, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { TextInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { sha256 } from "../../../platform/console/calls/sha256.ts";
import { setKeys, type getAccount } from "./accounts.contract.ts";
import { extraKeysOf, keysOf, type KeyName } from "./keys.rules.ts";
import { hasField } from "./kind.rules.ts";

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
        {
          key: "password",
          input: (p) => <Password {...p} />,
        },
      ]}
      onClose={onClose}
    />
  );
}

const Secret = ({ value, onChange, ...rest }: InputProps<string>) => (
  <Input.Password
    {...rest}
    value={value ?? ""}
    autoComplete="new-password"
    onChange={(event) => onChange(event.target.value || undefined)}
  />
);

/** The form holds only what is sent: the password hashed as at the log-in. */
function Password({ value: _, onChange, ...rest }: InputProps<string>) {
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
