import { useState } from "react";
import { download } from "../../../platform/console/calls/request.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { KINDS } from "../terms/kind.rules.ts";
import {
  addArchive,
  archiveLabels,
  countArchives,
  exportArchives,
  listArchives,
  storeArchives,
} from "./archive.contract.ts";
import { AddForm, type ArchiveRow, StoreForm } from "./archive.form.tsx";
import { ArchiveDrawer, DueDay, ShelfPicture, useArchiveActs } from "./archive.panel.tsx";
import { TAB_WORDS } from "./archive.rules.ts";

const tooMany = (rows: readonly unknown[]) => (rows.length > 200 ? "一次最多处理200件" : undefined);

/** 归档管理: where each signed original is, who has it, and that its file was not changed. */
export default function ArchivesPage() {
  const [address] = useAddress();
  const [actsOf, layer] = useArchiveActs();
  const [storing, setStoring] = useState<readonly ArchiveRow[]>();
  const contractId = Number(address.get("contractId")) || undefined;
  return (
    <>
      <ListPage
        call={listArchives}
        unit="件"
        tabs={{
          key: "tab",
          counts: countArchives,
          items: Object.entries(TAB_WORDS).map(([key, title]) => ({ key, title })),
        }}
        filters={[
          "villageIds",
          "keyword",
          "place",
          "borrowerId",
          "medium",
          "docKind",
          "from",
          "dueFrom",
          "contractId",
        ]}
        columns={[
          "archiveNo",
          {
            key: "contractNo",
            to: (a) => reach(KINDS[a.contractKind].path, { id: a.contractId }),
          },
          { key: "villageName", wide: true },
          "docKind",
          "partyName",
          { key: "roomNames", width: 150, show: (a) => <Rooms names={a.roomNames} beside={a.villageName} /> },
          { key: "medium", width: 64, wide: true },
          { key: "copies", width: 64, wide: true },
          "place",
          { key: "archivedOn", wide: true },
          { key: "archivedBy", hidden: true },
          { key: "borrowerName", width: 84 },
          { key: "lentOn", hidden: true },
          { key: "dueOn", show: (a) => <DueDay of={a} /> },
          "hashState",
          "retentionUntil",
          "state",
        ]}
        card={{
          title: "archiveNo",
          right: "state",
          lines: [
            ["partyName", "place"],
            ["contractNo", (a) => <DueDay of={a} />],
          ],
        }}
        adds={{
          does: addArchive,
          form: (close) => <AddForm {...(contractId && { contractId })} onClose={close} />,
        }}
        rowActions={actsOf}
        batch={[
          {
            label: "归档",
            does: storeArchives,
            why: (rows) =>
              tooMany(rows) ??
              (rows.every((a) => a.state === "pending") ? undefined : "只能归档待归档的档案"),
            run: (rows) => setStoring(rows),
          },
          {
            label: "打印标签",
            does: archiveLabels,
            why: tooMany,
            run: (rows) =>
              download(archiveLabels, { body: { ids: rows.map((a) => a.id), origin: location.origin } }),
          },
        ]}
        sumNote={(sums) => `借出 ${Number(sums["lent"] ?? 0)} 件，逾期 ${Number(sums["overdue"] ?? 0)} 件`}
        picture={(query, filter) => <ShelfPicture query={query} filter={filter} />}
        drawer={(id) => <ArchiveDrawer id={id} />}
        exportCall={exportArchives}
        emptyText="合同和补充协议线下签署后，纸质原件在这里归档上架、借出和归还；电子签署的自动归档"
      />
      {layer}
      {storing && <StoreForm of={storing} onClose={() => setStoring(undefined)} />}
    </>
  );
}
