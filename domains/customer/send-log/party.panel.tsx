import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { sendLog } from "./send-log.contract.ts";

const ROW = elementOf(shapeOf(sendLog.reply)["list"])!;

/** Every message that went to a customer, whoever or whatever sent it; the newest hundred. */
export function PartyMessages({ partyId }: { partyId: number }) {
  const { data, error, refetch } = useQuery(ask(sendLog, { query: { partyId, pageSize: 100 } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={ROW}
      rows={data.list}
      columns={["at", "channel", "source", { key: "body", width: 300 }, "state", "receipt"]}
      emptyText="还没有给该客户发过消息"
    />
  );
}
