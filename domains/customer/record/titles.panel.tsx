import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Need, Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ActionButtons, RowActions } from "../../../platform/console/parts/actions.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { deleteTitle, listTitles } from "../../party/title/title.contract.ts";
import { TitleForm } from "./title.form.tsx";
import "./record.css";

type Title = Reply<typeof listTitles>[number];
type Whose = { id: number; name: string; creditCode?: string | null };

/** What a party's invoices are made out to. */
export function TitlesTab({ party, need }: { party: Whose; need: Need }) {
  const act = useAct();
  const [open, setOpen] = useState<{ title?: Title }>();
  const { data, error, refetch } = useQuery(ask(listTitles, { query: { partyId: party.id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const actsOf = (t: Title) => [
    { label: "编辑", need, run: () => setOpen({ title: t }) },
    {
      label: "删除",
      need,
      danger: true,
      run: () =>
        act(
          deleteTitle,
          { params: { id: t.id }, query: { version: t.version } },
          { done: "已删除", ask: { title: "删除发票抬头", body: `确定删除抬头${t.title}吗？`, ok: "删除" } },
        ),
    },
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
