import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { type Importing, ImportDialog } from "../reconcile/import.panel.tsx";
import { Runs, toldOfUndo } from "../reconcile/runs.panel.tsx";
import { listStatements } from "../statement/statement.contract.ts";
import { CLAIMED_ACCOUNTS, importBankLines, previewBankLines, undoBankLines } from "./corporate.contract.ts";
import { saidOfImport } from "./line.rules.ts";

const LINES: Importing = {
  title: "导入对公流水",
  mode: "claim",
  accounts: CLAIMED_ACCOUNTS,
  preview: previewBankLines,
  take: importBankLines,
  hint: "点击或拖入银行流水（csv、xlsx、zip、gz）；收入逐笔入账待认领，支出与系统付款核对",
  done: saidOfImport,
};

/** 导入流水: a button of both lists, and its layer. */
export function useImporting() {
  const [open, setOpen] = useState(false);
  const button = {
    label: "导入流水",
    icon: "plus" as const,
    main: true,
    does: importBankLines,
    run: () => setOpen(true),
  };
  return { button, layer: open && <ImportDialog of={LINES} onClose={() => setOpen(false)} /> };
}

/** The files of company accounts that were taken, and their way back. */
export function Files() {
  const importing = useImporting();
  return (
    <>
      <Runs mode="claim" />
      <ListPage
        call={listStatements}
        unit="个批次"
        fixed={{ mode: ["claim"] }}
        filters={["merchantAccountId", "keyword"]}
        columns={[
          "statementNo",
          "accountName",
          "dateFrom",
          "dateTo",
          "lineCount",
          "newCount",
          "sumIn",
          "sumOut",
          { key: "fileName", hidden: true },
          { key: "encoding", hidden: true },
          { key: "templateName", hidden: true },
          { key: "note", hidden: true },
          "creator",
          "createdAt",
          { key: "undoneAt", hidden: true },
        ]}
        card={{
          title: "accountName",
          right: "newCount",
          lines: [
            ["dateFrom", "sumIn"],
            ["statementNo", "creator"],
          ],
        }}
        toolbar={[importing.button]}
        rowActions={(r) => [
          {
            label: "撤销导入",
            danger: true,
            does: undoBankLines,
            why: r.undoneAt ? "该批次已撤销" : undefined,
            run: async (act) =>
              toldOfUndo(
                await act(
                  undoBankLines,
                  { params: { id: r.id }, query: { version: r.version } },
                  {
                    ask: {
                      title: `撤销导入 ${r.statementNo}`,
                      body: `${r.newCount} 行流水和它们的入账凭证将被冲回。`,
                    },
                  },
                ),
              ),
          },
        ]}
        emptyText="还没有导入过对公流水"
      />
      {importing.layer}
    </>
  );
}
