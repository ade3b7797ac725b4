import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CORPORATE } from "./claim.rules.ts";
import { countBankLines, exportBankLines, listBankLines } from "./corporate.contract.ts";
import { useLineImport } from "./files.panel.tsx";
import { LineDrawer, useLineActs } from "./line.panel.tsx";
import { LINE_STATE } from "./line.rules.ts";

/** Money that came to company accounts, the longest unclaimed on top. */
export function Lines() {
  const acts = useLineActs();
  const importing = useLineImport();
  return (
    <>
      <ListPage
        call={listBankLines}
        unit="笔"
        tabs={{
          key: "tab",
          counts: countBankLines,
          items: [
            ...Object.entries(LINE_STATE).map(([key, [title]]) => ({ key, title })),
            { key: "all", title: "全部" },
          ],
        }}
        filters={["merchantAccountId", "dayFrom", "amountFrom", "villageIds", "keyword"]}
        columns={[
          { key: "occurredAt", width: 152 },
          { key: "counterName", width: 168 },
          { key: "counterAccount", hidden: true },
          "summary",
          "amount",
          { key: "free", strong: true },
          { key: "claimed", hidden: true },
          { key: "reserved", hidden: true },
          { key: "classified", hidden: true },
          { key: "hint", width: 260 },
          { key: "state", width: 96 },
          "days",
          {
            key: "claimNos",
            hidden: true,
            to: (r) => (r.claimNos ? pathTo(CORPORATE, { tab: "all", id: r.id }) : undefined),
          },
          { key: "accountName", hidden: true },
          { key: "number", hidden: true },
        ]}
        card={{
          title: "counterName",
          right: "state",
          lines: [["day", "free"], ["hint"], ["summary"]],
        }}
        sumNote={(sums) => `未认领 ${yuan(Number(sums["free"]))}`}
        toolbar={[importing.button]}
        rowActions={acts.of}
        drawer={(id) => <LineDrawer id={id} acts={acts} />}
        exportCall={exportBankLines}
        emptyText="导入对公账户的银行流水后，到账的款项在这里认领"
      />
      {acts.layer}
      {importing.layer}
    </>
  );
}
