import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { listExpired } from "../leaving/leaving.contract.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import { AskForm } from "./settlement.form.tsx";
import { contractPath, partyPath, roomPath } from "./settlement.panel.tsx";

/** Contracts that ran out and that nobody settles yet. */
export function Expired() {
  const [leaving, setLeaving] = useState<number>();
  return (
    <>
      <ListPage
        call={listExpired}
        unit="份"
        filters={["villageIds", "kind", "endFrom", "keyword"]}
        columns={[
          { key: "contractNo", to: (r) => contractPath({ ...r, contractId: r.id }) },
          { key: "roomNames", to: roomPath },
          { key: "partyName", to: partyPath },
          { key: "villageName", hidden: true },
          { key: "start", hidden: true },
          "end",
          { key: "daysOver", strong: true },
          "depositHeld",
          "overdue",
          "keeperName",
        ]}
        card={{
          title: "partyName",
          right: "daysOver",
          lines: [["roomNames", "overdue"], ["end", "depositHeld"], ["contractNo"]],
        }}
        rowActions={(r) => [
          { label: "退房", does: settlementActs.ask, main: true, run: () => setLeaving(r.id) },
        ]}
        emptyText="到期的合同都已办理退房或续租"
      />
      {leaving && <AskForm contractId={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}
