import { type ReactNode, useState } from "react";
import type { z } from "zod";
import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import {
  ACCOUNT_KIND,
  type accountRow,
  addMerchantAccount,
  deleteAccount,
  disableAccount,
  editAccount,
  enableAccount,
  exportAccounts,
  getAccount,
  listAccounts,
} from "./account.contract.ts";
import {
  ACCOUNT_STATE,
  APP_TERMINALS,
  KEY_STATE,
  hasField,
  keysOf,
  rateText,
  textTitle,
} from "./account.rules.ts";
import { AccountForm, KeysForm } from "./edit.form.tsx";

/** 账户: every receiving account in scope. */
export function AccountList() {
  const acts = useAccountActs();
  return (
    <>
      <ListPage
        call={listAccounts}
        unit="个"
        filters={["kind", "holder", "state", "keyword", "villageIds", "enterpriseId"]}
        columns={[
          { key: "name", width: 150 },
          "kind",
          { key: "enterpriseName", hidden: true },
          "holderName",
          { key: "number", show: (a) => a.number || NONE },
          { key: "subMchId", hidden: true },
          { key: "feeRate", show: (a) => rateText(a.feeRate) },
          { key: "settleDays", hidden: true },
          { key: "settleToName", show: (a) => a.settleToName || NONE },
          "statementMode",
          { key: "supervised", hidden: true },
          { key: "certExpiresOn", show: (a) => <CertDay day={a.certExpiresOn} /> },
          {
            key: "keys",
            show: (a) => (a.keys === "none" ? NONE : <WordTag words={KEY_STATE} code={a.keys} />),
          },
          "villages",
          "state",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["kind", "number"],
            ["holderName", "keys"],
          ],
        }}
        adds={{
          label: "新增账户",
          does: addMerchantAccount,
          form: (close) => <AccountForm onClose={close} onAdded={acts.added} />,
        }}
        rowActions={acts.of}
        drawer={(id) => <AccountDrawer id={id} acts={acts} />}
        exportCall={exportAccounts}
        emptyText="收款账户是门店收款所用的商户号、银行账户或现金；新增后在“门店配置”中指定给门店"
      />
      {acts.layer}
    </>
  );
}

/** A certificate that ends within 30 days stands out. */
export function CertDay({ day }: { day: string | null }) {
  const today = useToday();
  if (!day) return NONE;
  if (day > addDays(today, 30)) return day;
  return <StatusTag tone={day < today ? "red" : "orange"}>{day}</StatusTag>;
}

type Shown = Reply<typeof getAccount>;

/** One account: its facts by kind, which keys are set, what happened to it. */
export function AccountDrawer({ id, acts }: { id: number; acts: AccountActs }) {
  return (
    <Detail
      call={getAccount}
      sent={{ params: { id } }}
      width={760}
      title={(a) => a.name}
      tags={(a) => (
        <>
          <WordTag words={ACCOUNT_STATE} code={a.state} />
          <WordTag words={ACCOUNT_KIND} code={a.kind} dot={false} />
        </>
      )}
      cols={2}
      facts={[
        "holderName",
        "enterpriseName",
        { title: "号码", show: (a) => <Numbers account={a} /> },
        { title: "使用门店", show: (a) => `${a.villages} 个` },
        "statementMode",
        { title: "费率", show: (a) => <Fee account={a} /> },
        { title: "结算", show: settling },
        { title: "监管账户", show: (a) => (a.supervised ? "是" : "否") },
        { title: "证书到期", show: (a) => <CertDay day={a.certExpiresOn} /> },
        { title: "AppID", show: (a) => <AppIds account={a} /> },
        "createdAt",
      ]}
      actions={acts.of}
      tabs={[{ key: "keys", title: "密钥", view: (a) => <Keys account={a} /> }]}
      log="account"
    />
  );
}

function Numbers({ account: a }: { account: Shown }) {
  const parts = [
    a.mchId && `${textTitle(a.kind)} ${a.mchId}`,
    a.subMchId && `子商户号 ${a.subMchId}`,
    a.terminalNo && `终端号 ${a.terminalNo}`,
    a.bankAccountNo && `${a.bankName} ${a.accountName} ${a.bankAccountNo}`,
  ].filter(Boolean);
  return parts.join("，") || "—";
}

const Fee = ({ account: a }: { account: Shown }) => (
  <>
    {rateText(a.feeRate)}
    {a.feeCap !== null && (
      <>
        ，封顶 <Money fen={a.feeCap} />
      </>
    )}
  </>
);

const settling = (a: Shown): string => {
  if (!hasField(a.kind, "settling")) return "—";
  if (a.handover) return "缴款";
  return `${a.settleDays ? `${a.settleDays} 天` : "当天"}到账${a.settleToName && `，结算到 ${a.settleToName}`}`;
};

const AppIds = ({ account: a }: { account: Shown }) =>
  a.appIds.map((app) => `${APP_TERMINALS[app.terminal]} ${app.appId}`).join("，") || "—";

function Keys({ account: a }: { account: Shown }) {
  if (!keysOf(a.kind).length) return <p className="dim">此类型账户没有密钥。</p>;
  return (
    <>
      <p className="dim">
        密钥加密保存，设置后不再显示。当前 <WordTag words={KEY_STATE} code={a.keys} />
      </p>
      {a.keySet.length > 0 && (
        <RowTable
          schema={getAccount.reply.shape.keySet}
          rows={a.keySet}
          columns={["title", { own: "state", title: "状态", show: () => "已设置" }, "setAt"]}
          flat
        />
      )}
    </>
  );
}

type Row = z.output<typeof accountRow>;
type Whole = Reply<typeof getAccount>;
export type AccountActs = {
  of: (account: Row) => Actions;
  /** After a new account: who may set keys is asked for them at once. */
  added: (id: number) => Promise<void>;
  layer: ReactNode;
};

const HEAD_ONLY = "公司本部的账户由可查看全部门店的人维护";
const mayKeys = () => may("#10101") && may("252.edit");

/** What can be done with an account, the same in its row and on its own page; and the form that is open for it. */
export function useAccountActs(): AccountActs {
  const [open, setOpen] = useState<{ form: "edit" | "keys"; account: Whole }>();
  const show = async (form: "edit" | "keys", id: number) =>
    setOpen({ form, account: await send(getAccount, { params: { id } }) });
  const close = () => setOpen(undefined);
  const of = (a: Row): Actions => {
    const why = a.changeable ? undefined : HEAD_ONLY;
    return [
      { label: "修改", does: editAccount, why, run: () => show("edit", a.id) },
      keysOf(a.kind).length > 0 &&
        mayKeys() && {
          label: a.keys === "missing" ? "设置密钥" : "更换密钥",
          why,
          run: () => show("keys", a.id),
        },
      switchAction({ enable: enableAccount, disable: disableAccount }, a, {
        why,
        ask: {
          title: `停用 ${a.name}`,
          body: a.villages
            ? `有 ${a.villages} 个门店正通过它收款，停用后这些门店不能再用它收款，未付款的收款码随之关闭，历史流水不变。`
            : "停用后不能再用它收款，历史流水不变。",
          ok: "停用",
        },
      }),
      deleteAction(deleteAccount, a, {
        title: "删除账户",
        body: `确定删除 ${a.name} 吗？`,
        why: why ?? (a.villages ? "账户已被使用，不能删除，可停用" : undefined),
      }),
    ];
  };
  const layer = open && (
    <>
      {open.form === "edit" && (
        <Current call={getAccount} read={open.account}>
          {(account) => <AccountForm account={account} onClose={close} />}
        </Current>
      )}
      {open.form === "keys" && (
        <Current call={getAccount} read={open.account}>
          {(account) => <KeysForm account={account} onClose={close} />}
        </Current>
      )}
    </>
  );
  const added = async (id: number) => {
    if (!mayKeys()) return;
    const account = await send(getAccount, { params: { id } });
    if (keysOf(account.kind).length) setOpen({ form: "keys", account });
  };
  return { of, added, layer };
}
