import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ListTable } from "../../../platform/console/list/list-table.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { listViewings } from "./viewing.contract.ts";
import { RESULTS } from "./viewing.rules.ts";

/** The rooms a customer came to see, and what they thought; the newest hundred. */
export function PartyViewings({ partyId }: { partyId: number }) {
  return (
    <ListTable
      call={listViewings}
      query={{ partyId }}
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
