import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Need, Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ActionButtons, RowActions } from "../../../platform/console/parts/actions.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { deleteAccount, listAccounts } from "../../party/account/account.contract.ts";
import { AccountForm } from "./account.form.tsx";
import { SecretText } from "./secret.panel.tsx";

type Account = Reply<typeof listAccounts>[number];
type Props = {
  party: { id: number; name: string };
  need: Need;
  secret: Need;
  reveal: (partId: number, reason: string) => Promise<{ value: string }>;
};

/** Where money goes back to; numbers are masked. */
export function AccountsTab({ party, need, secret, reveal }: Props) {
  const act = useAct();
  const [open, setOpen] = useState<{ account?: Account }>();
  const { data, error, refetch } = useQuery(ask(listAccounts, { query: { partyId: party.id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const actsOf = (a: Account) => [
    { label: "编辑", need, run: () => setOpen({ account: a }) },
    {
      label: "删除",
      need,
      danger: true,
      run: () =>
        act(
          deleteAccount,
          { params: { id: a.id }, query: { version: a.version } },
          {
            done: "已删除",
            ask: { title: "删除银行账户", body: `确定删除账户 ${a.number} 吗？`, ok: "删除" },
          },
        ),
    },
  ];
  return (
    <>
      <div className="party__tools">
        <ActionButtons actions={[{ label: "新增账户", icon: "plus", need, run: () => setOpen({}) }]} />
      </div>
      <RowTable
        schema={listAccounts.reply}
        rows={data}
        columns={[
          {
            key: "holder",
            show: (a) => (
              <span className="row">
                {a.holder}
                {a.isDefault && (
                  <StatusTag tone="grey" dot={false}>
                    默认
                  </StatusTag>
                )}
              </span>
            ),
          },
          "bank",
          "branch",
          {
            key: "number",
            show: (a) => (
              <SecretText
                title="银行账号"
                masked={a.number}
                need={secret}
                reveal={(reason) => reveal(a.id, reason)}
              />
            ),
          },
          "verified",
          { own: "acts", title: "操作", show: (a) => <RowActions actions={actsOf(a)} /> },
        ]}
        emptyText="还没有银行账户，退款前请先登记"
      />
      {open && <AccountForm party={party} account={open.account} onClose={() => setOpen(undefined)} />}
    </>
  );
}
