import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { switchAction } from "../../../platform/console/calls/record-acts.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { CertDay } from "../account/account.panel.tsx";
import { ConfForm, CopyForm, KeysForm, TrialForm } from "./conf.form.tsx";
import {
  addConf,
  type ConfRow,
  copyConf,
  disableConf,
  editConf,
  enableConf,
  exportConfs,
  getConf,
  listConfs,
  testConf,
  trialConf,
} from "./einvoice.contract.ts";
import { BEHAVIOUR, CONF_STATE, DRIVER } from "./einvoice.rules.ts";
import { Items } from "./items.panel.tsx";

/** 电子发票配置: how each enterprise makes its invoices, and what its fee subjects are on them. */
export default function EinvoicesPage() {
  const acts = useConfActs();
  return (
    <>
      <ListPage
        call={listConfs}
        unit="项"
        filters={["enterpriseId", "driver", "state", "keyword"]}
        columns={[
          { key: "name", width: 200 },
          "taxNo",
          "driver",
          "defaultKind",
          { key: "invoiceBasis", wide: true },
          "autoInvoice",
          { key: "villages", wide: true },
          "perInvoiceLimit",
          { key: "creditLeft", show: (c) => (c.creditLeft === null ? NONE : <Money fen={c.creditLeft} />) },
          { key: "certExpiresOn", show: (c) => <CertDay day={c.certExpiresOn} /> },
          {
            key: "keysSet",
            hidden: true,
            show: (c) => (c.keysSet ? "已设置" : <StatusTag tone="gold">未设置</StatusTag>),
          },
          "state",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["taxNo", "driver"],
            ["villages", "perInvoiceLimit"],
          ],
        }}
        adds={{ label: "新增配置", does: addConf, form: (close) => <ConfForm onClose={close} /> }}
        rowActions={acts.of}
        drawer={(id) => <ConfDrawer id={id} acts={acts} />}
        exportCall={exportConfs}
        emptyText="每个企业一项配置：开票方式、销方信息、适用门店和各费用科目的税收分类编码"
      />
      {acts.layer}
    </>
  );
}

type Whole = Reply<typeof getConf>;
type Acts = { of: (c: ConfRow) => Actions; layer: ReactNode };

const ConfDrawer = ({ id, acts }: { id: number; acts: Acts }) => (
  <Detail
    call={getConf}
    sent={{ params: { id } }}
    width={980}
    title={(c) => c.name}
    tags={(c) => (
      <>
        <WordTag words={CONF_STATE} code={c.state} />
        <WordTag words={DRIVER} code={c.driver} dot={false} />
      </>
    )}
    cols={2}
    facts={[
      "sellerName",
      "taxNo",
      { title: "地址电话", show: (c) => `${c.address} ${c.phone}`.trim() || NONE },
      { title: "开户行账号", show: (c) => `${c.bank} ${c.account}`.trim() || NONE },
      "defaultKind",
      { title: "单张限额", show: (c) => <Money fen={c.perInvoiceLimit} /> },
      "invoiceBasis",
      "autoInvoice",
      { title: "开票人", show: (c) => [c.drawer, c.payee, c.reviewer].filter(Boolean).join("、") },
      "notifyBy",
      { title: "剩余授信", show: (c) => <Credit of={c} /> },
      { title: "证书到期", show: (c) => <CertDay day={c.certExpiresOn} /> },
      "testedAt",
      { title: "模拟行为", show: (c) => (c.driver === "simulator" ? BEHAVIOUR[c.behaviour][0] : NONE) },
      { key: "villageNames", wide: true },
    ]}
    actions={acts.of}
    tabs={[
      { key: "items", title: "科目映射", view: (c) => <Items id={c.id} /> },
      { key: "keys", title: "密钥", view: (c) => <Keys of={c} /> },
    ]}
    log="einvoice"
  />
);

/** What is left to invoice stands out where it falls below what somebody wants to be warned of. */
const Credit = ({ of: { creditLeft, creditWarn } }: { of: Whole }) =>
  creditLeft === null ? (
    NONE
  ) : creditWarn !== null && creditLeft < creditWarn ? (
    <StatusTag tone="red">
      <Money fen={creditLeft} />
    </StatusTag>
  ) : (
    <Money fen={creditLeft} />
  );

function Keys({ of }: { of: Whole }) {
  if (of.driver !== "provider") return <p className="dim">此开票方式没有密钥。</p>;
  return (
    <>
      <p className="dim">密钥加密保存，设置后不再显示。</p>
      <RowTable
        schema={getConf.reply!.shape.keys}
        rows={of.keys}
        columns={["title", { own: "state", title: "状态", show: () => "已设置" }, "setAt"]}
        flat
        emptyText="还没有设置密钥"
      />
    </>
  );
}

/** What can be done with a configuration, and the form that is open for it. */
function useConfActs(): Acts {
  const act = useAct();
  const platform = useOperator()?.superType === "0";
  const [open, setOpen] = useState<{ form: "edit" | "keys" | "copy" | "trial"; of: Whole }>();
  const show = async (form: NonNullable<typeof open>["form"], id: number) =>
    setOpen({ form, of: await send(getConf, { params: { id } }) });
  const close = () => setOpen(undefined);
  const of = (c: ConfRow): Actions => [
    { label: "修改", does: editConf, run: () => show("edit", c.id) },
    c.driver === "provider" &&
      may("#10101") && {
        label: c.keysSet ? "更换密钥" : "设置密钥",
        need: "101.edit",
        run: () => show("keys", c.id),
      },
    c.driver !== "manual" && {
      label: "测试连接",
      does: testConf,
      run: async () => {
        const told = await act(testConf, { params: { id: c.id } });
        if (told) toast(`连接正常：${told.name} ${told.taxNo}`);
      },
    },
    c.driver === "simulator" && { label: "试开", does: trialConf, run: () => show("trial", c.id) },
    switchAction({ enable: enableConf, disable: disableConf }, c, {
      ask: {
        title: `停用 ${c.name} 的电子发票`,
        body: "停用后这些门店不能再申请开票，已开发票不变。",
        ok: "停用",
      },
    }),
    platform && { label: "复制到其他企业", does: copyConf, run: () => show("copy", c.id) },
  ];
  return {
    of,
    layer:
      open &&
      (open.form === "edit" ? (
        <Current call={getConf} read={open.of}>
          {(conf) => <ConfForm conf={conf} onClose={close} />}
        </Current>
      ) : open.form === "keys" ? (
        <Current call={getConf} read={open.of}>
          {(conf) => <KeysForm conf={conf} onClose={close} />}
        </Current>
      ) : open.form === "trial" ? (
        <TrialForm conf={open.of} onClose={close} />
      ) : (
        <CopyForm conf={open.of} onClose={close} />
      )),
  };
}
