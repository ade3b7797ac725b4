import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { ask, download } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, ManySelect, MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Password, Secret } from "../account/edit.form.tsx";
import {
  addConf,
  copyConf,
  copyTargets,
  editConf,
  type getConf,
  setConfKeys,
  trialConf,
} from "./einvoice.contract.ts";
import { INVOICE_KIND, type InvoiceKind } from "./einvoice.rules.ts";

type Given = Body<typeof addConf>;
type Conf = Reply<typeof getConf>;

const FIELDS: readonly Field<Given>[] = [
  { section: "开票方式" },
  { key: "driver", help: "手工登记：在外部开票后登记号码和PDF；服务商：诺诺开放平台" },
  {
    key: "endpoint",
    placeholder: "不填为正式环境",
    when: (v) => v.driver === "provider",
  },
  { key: "behaviour", when: (v) => v.driver === "simulator", help: "模拟平台按此应答，用于演练各种结果" },
  "villageIds",
  { section: "销方" },
  { key: "sellerName", wide: true },
  { key: "taxNo", placeholder: "统一社会信用代码" },
  "phone",
  { key: "address", wide: true },
  "bank",
  { key: "account", placeholder: "6-30位数字，可带 -" },
  "drawer",
  "payee",
  "reviewer",
  { section: "规则" },
  "defaultKind",
  { key: "perInvoiceLimit", help: "超过时自动拆分为多张" },
  { key: "invoiceBasis", help: "已收：按收款开票；已确认：按已确认收入开票" },
  "creditWarn",
  { key: "autoInvoice", when: (v) => v.driver !== "manual" },
  { key: "notifyBy", help: "开具后发给购方" },
];
const withVillages = FIELDS.map((field) =>
  field === "villageIds"
    ? ({ key: "villageIds", wide: true, input: (p) => <VillagesInput {...p} most={2000} /> } as Field<Given>)
    : field,
);

type Edited = Field<Body<typeof editConf>>;
/** Another address of the provider is asked for as its keys are. */
function editFields(endpoint: string): readonly Edited[] {
  const password: Edited = {
    key: "password",
    must: true,
    help: "更换接口地址须有密钥权限并输入登录密码，原密钥同时清除，须重新设置后启用",
    when: (v) => v.driver === "provider" && (v.endpoint ?? "").replace(/\/+$/, "") !== endpoint,
    input: (p) => <Password {...p} />,
  };
  return (withVillages as unknown as readonly Edited[]).flatMap((field): Edited[] =>
    typeof field === "object" && "key" in field && field.key === "endpoint" ? [field, password] : [field],
  );
}

/** A new configuration, or one as it stands. Keys are set apart, by who may. */
export function ConfForm({ conf, onClose }: { conf?: Conf; onClose: () => void }) {
  const shared = { cols: 2, width: 820, onClose };
  if (conf)
    return (
      <FormDrawer
        {...shared}
        call={editConf}
        params={{ id: conf.id }}
        initial={conf}
        fields={editFields(conf.endpoint)}
        title={`修改 ${conf.name}`}
        done="已保存"
      />
    );
  return (
    <FormDrawer
      {...shared}
      call={addConf}
      initial={{ defaultKind: "general", invoiceBasis: "paid", autoInvoice: "off", notifyBy: "none" }}
      fields={withVillages}
      title="新增电子发票配置"
      done="配置已新增，请维护科目映射后启用"
    />
  );
}

/** The keys of the provider: written, never read. */
export const KeysForm = ({ conf, onClose }: { conf: Conf; onClose: () => void }) => (
  <FormDialog
    call={setConfKeys}
    params={{ id: conf.id }}
    initial={{ version: conf.version }}
    title={`${conf.keys.length ? "更换" : "设置"}密钥 · ${conf.name}`}
    width={560}
    done="密钥已保存"
    fields={[
      { show: () => <p className="sub">密钥加密保存，设置后不再显示；保存时须再次输入您的登录密码。</p> },
      { key: "appKey", input: (p) => <Secret {...p} /> },
      { key: "appSecret", input: (p) => <Secret {...p} /> },
      { key: "password", input: (p) => <Password {...p} /> },
    ]}
    onClose={onClose}
  />
);

/** 试开: what a sample looks like; it stands in no book. */
export function TrialForm({ conf, onClose }: { conf: Conf; onClose: () => void }) {
  const [amount, setAmount] = useState<number | undefined>(300_000);
  const [kind, setKind] = useState<InvoiceKind>(conf.defaultKind);
  const open = () => download(trialConf, { params: { id: conf.id }, query: { amount: amount ?? 0, kind } });
  return (
    <Dialog
      title={`试开 · ${conf.name}`}
      onClose={onClose}
      footer={<Foot cancel={onClose} ok="生成样票" why={amount ? undefined : "请输入金额"} run={open} />}
    >
      <div className="stack gap-4">
        <p className="sub">样票不入账、不占用可开票金额。</p>
        <label>
          金额 <MoneyInput value={amount} onChange={setAmount} />
        </label>
        <ChoiceInput
          value={kind}
          words={INVOICE_KIND}
          onChange={(next) => setKind((next ?? "general") as InvoiceKind)}
        />
      </div>
    </Dialog>
  );
}

/** 复制到其他企业: settings and items; name, number, stores and keys are its own. */
export function CopyForm({ conf, onClose }: { conf: Conf; onClose: () => void }) {
  const { data: targets = [] } = useQuery(ask(copyTargets));
  return (
    <FormDialog
      call={copyConf}
      params={{ id: conf.id }}
      title={`复制 ${conf.name} 的电子发票配置`}
      width={560}
      done="已复制，请设置密钥后启用"
      onClose={onClose}
      fields={(set) => [
        {
          key: "enterpriseId",
          input: (p) => (
            <Select
              id={p.id ?? ""}
              value={p.value ?? null}
              placeholder="没有配置的企业"
              options={targets.map((t) => ({ value: t.id, label: t.name }))}
              onChange={(id: number) => {
                const to = targets.find((t) => t.id === id)!;
                p.onChange(id);
                set("sellerName", to.name);
                set("taxNo", to.creditCode);
                set(
                  "villageIds",
                  to.villages.map((v) => v.id),
                );
              }}
            />
          ),
        },
        "sellerName",
        "taxNo",
        {
          key: "villageIds",
          input: (p, now) => (
            <ManySelect
              {...p}
              options={(targets.find((t) => t.id === now.enterpriseId)?.villages ?? []).map((v) => ({
                value: v.id,
                label: v.name,
              }))}
            />
          ),
        },
      ]}
    />
  );
}
