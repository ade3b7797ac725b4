import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { ActionButtons, RowActions } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import type { Need, Reply } from "../../../platform/kernel/call.ts";
import { deleteAccount, listAccounts } from "../../party/account/account.contract.ts";
import { deleteTitle, listTitles } from "../../party/title/title.contract.ts";
import { AccountForm } from "./account.form.tsx";
import { SecretText } from "./secret.panel.tsx";
import { TitleForm } from "./title.form.tsx";
import "./record.css";

type Account = Reply<typeof listAccounts>[number];
type Props = {
  party: { id: number; name: string };
  need: Need;
  secret: Need;
  reveal: (partId: number, reason: string) => Promise<{ value: string }>;
};

/** Where money goes back to; numbers are masked. */
export function AccountsTab({ party, need, secret, reveal }: Props) {
  const [open, setOpen] = useState<{ account?: Account }>();
  const { data, error, refetch } = useQuery(ask(listAccounts, { query: { partyId: party.id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const actsOf = (a: Account) => [
    { label: "编辑", need, run: () => setOpen({ account: a }) },
    deleteAction(deleteAccount, a, {
      title: "删除银行账户",
      body: `确定删除账户 ${a.number} 吗？`,
      ok: "删除",
      need,
    }),
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

type Title = Reply<typeof listTitles>[number];
type Whose = { id: number; name: string; creditCode?: string | null };

/** What a party's invoices are made out to. */
export function TitlesTab({ party, need }: { party: Whose; need: Need }) {
  const [open, setOpen] = useState<{ title?: Title }>();
  const { data, error, refetch } = useQuery(ask(listTitles, { query: { partyId: party.id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const actsOf = (t: Title) => [
    { label: "编辑", need, run: () => setOpen({ title: t }) },
    deleteAction(deleteTitle, t, {
      title: "删除发票抬头",
      body: `确定删除抬头${t.title}吗？`,
      ok: "删除",
      need,
    }),
  ];
  return (
    <>
      <div className="party__tools">
        <ActionButtons actions={[{ label: "新增抬头", icon: "plus", need, run: () => setOpen({}) }]} />
      </div>
      <RowTable
        schema={listTitles.reply}
        rows={data}
        columns={[
          {
            key: "title",
            show: (t) => (
              <span className="row">
                {t.title}
                {t.isDefault && (
                  <StatusTag tone="grey" dot={false}>
                    默认
                  </StatusTag>
                )}
              </span>
            ),
          },
          "kind",
          "taxNo",
          "bank",
          "account",
          "email",
          { own: "acts", title: "操作", show: (t) => <RowActions actions={actsOf(t)} /> },
        ]}
        emptyText="还没有发票抬头，开票前请先登记"
      />
      {open && <TitleForm party={party} title={open.title} onClose={() => setOpen(undefined)} />}
    </>
  );
}
