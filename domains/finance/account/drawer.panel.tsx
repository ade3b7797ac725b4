import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { ACCOUNT_KIND } from "./account.contract.ts";
import { getAccount } from "./accounts.contract.ts";
import type { AccountActs } from "./acts.panel.tsx";
import { CertDay } from "./cert.panel.tsx";
import { KEY_STATE, keysOf } from "./keys.rules.ts";
import { ACCOUNT_STATE, APP_TERMINALS, hasField, rateText, textTitle } from "./kind.rules.ts";

type Account = Reply<typeof getAccount>;

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
      tabs={[
        { key: "keys", title: "密钥", view: (a) => <Keys account={a} /> },
        { key: "log", title: "日志", view: (a) => <History kind="account" id={a.id} /> },
      ]}
    />
  );
}

function Numbers({ account: a }: { account: Account }) {
  const parts = [
    a.mchId && `${textTitle(a.kind)} ${a.mchId}`,
    a.subMchId && `子商户号 ${a.subMchId}`,
    a.terminalNo && `终端号 ${a.terminalNo}`,
    a.bankAccountNo && `${a.bankName} ${a.accountName} ${a.bankAccountNo}`,
  ].filter(Boolean);
  return parts.join("，") || "—";
}

const Fee = ({ account: a }: { account: Account }) => (
  <>
    {rateText(a.feeRate)}
    {a.feeCap !== null && (
      <>
        ，封顶 <Money fen={a.feeCap} />
      </>
    )}
  </>
);

const settling = (a: Account): string => {
  if (!hasField(a.kind, "settling")) return "—";
  if (a.handover) return "缴款";
  return `${a.settleDays ? `${a.settleDays} 天` : "当天"}到账${a.settleToName && `，结算到 ${a.settleToName}`}`;
};

const AppIds = ({ account: a }: { account: Account }) =>
  a.appIds.map((app) => `${APP_TERMINALS[app.terminal]} ${app.appId}`).join("，") || "—";

function Keys({ account: a }: { account: Account }) {
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
