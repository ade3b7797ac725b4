import { useQuery } from "@tanstack/react-query";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { listViewings } from "./viewing.contract.ts";
import { RESULTS } from "./viewing.rules.ts";

const ROW = elementOf(shapeOf(listViewings.reply)["list"])!;

/** The rooms a customer came to see, and what they thought; the newest hundred. */
export function PartyViewings({ partyId }: { partyId: number }) {
  const { data, error, refetch } = useQuery(ask(listViewings, { query: { partyId, pageSize: 100 } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={ROW}
      rows={data.list}
      columns={[
        {
          key: "number",
          to: (v) => reach("/configuration/BookingManagement", { tab: "viewing", view: "list", id: v.id }),
        },
        "at",
        "villageName",
        "rooms",
        "assigneeName",
        "state",
        {
          key: "result",
          show: (v) => (v.result ? <WordTag words={RESULTS} code={v.result} dot={false} /> : NONE),
        },
      ]}
      emptyText="没有看房记录"
    />
  );
}
