import { ListTable } from "../../../platform/console/list/list-table.tsx";
import { sendLog } from "./send-log.contract.ts";

/** Every message that went to a customer, whoever or whatever sent it; the newest hundred. */
export function PartyMessages({ partyId }: { partyId: number }) {
  return (
    <ListTable
      call={sendLog}
      query={{ partyId }}
      columns={["at", "channel", "source", { key: "body", width: 300 }, "state", "receipt"]}
      emptyText="还没有给该客户发过消息"
    />
  );
}
