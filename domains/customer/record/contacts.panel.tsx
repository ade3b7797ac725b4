import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Need, Reply } from "../../../platform/kernel/call.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ActionButtons, RowActions } from "../../../platform/console/parts/actions.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { deleteContact, listContacts } from "../../party/contact/contact.contract.ts";
import { ContactForm } from "./contact.form.tsx";
import { SecretText } from "./secret.panel.tsx";

type Contact = Reply<typeof listContacts>[number];
type Props = {
  partyId: number;
  need: Need;
  /** What it takes to see a phone whole, and how it is asked for. */
  secret: Need;
  reveal: (partId: number, reason: string) => Promise<{ value: string }>;
};

/** Whom one talks to; one of them is the main contact. */
export function ContactsTab({ partyId, need, secret, reveal }: Props) {
  const [open, setOpen] = useState<{ contact?: Contact }>();
  const { data, error, refetch } = useQuery(ask(listContacts, { query: { partyId } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const actsOf = (c: Contact) => [
    { label: "编辑", need, run: () => setOpen({ contact: c }) },
    deleteAction(deleteContact, c, {
      title: "删除联系人",
      body: `确定删除联系人${c.name}吗？`,
      ok: "删除",
      need,
      why: c.main ? "主联系人不能删除，请先设置其他主联系人" : undefined,
    }),
  ];
  return (
    <>
      <div className="party__tools">
        <ActionButtons
          actions={[
            {
              label: "新增联系人",
              icon: "plus",
              need,
              why: data.length >= 10 ? "联系人最多10个" : undefined,
              run: () => setOpen({}),
            },
          ]}
        />
      </div>
      <RowTable
        schema={listContacts.reply}
        rows={data}
        columns={[
          {
            key: "name",
            show: (c) => (
              <span className="row">
                {c.name}
                {c.main && (
                  <StatusTag tone="grey" dot={false}>
                    主联系人
                  </StatusTag>
                )}
              </span>
            ),
          },
          {
            key: "phone",
            show: (c) => (
              <SecretText
                title="电话"
                masked={c.phone}
                need={secret}
                reveal={(reason) => reveal(c.id, reason)}
              />
            ),
          },
          "position",
          "email",
          "getsBills",
          { own: "acts", title: "操作", show: (c) => <RowActions actions={actsOf(c)} /> },
        ]}
        emptyText="还没有联系人"
      />
      {open && <ContactForm partyId={partyId} contact={open.contact} onClose={() => setOpen(undefined)} />}
    </>
  );
}
