import { useQuery } from "@tanstack/react-query";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { roomViewings } from "./viewing.contract.ts";
import { RESULTS } from "./viewing.rules.ts";

const BOOKING = "/configuration/BookingManagement";

/** Who came to see a room, and what they thought of it. */
export default function RoomViewings({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(roomViewings, { query: { roomId: id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      flat
      schema={roomViewings.reply!}
      rows={data}
      columns={[
        { key: "number", to: (v) => reach(BOOKING, { tab: "viewing", view: "list", id: v.id }) },
        "at",
        "name",
        "assigneeName",
        "state",
        {
          key: "result",
          show: (v) => (v.result ? <WordTag words={RESULTS} code={v.result} dot={false} /> : NONE),
        },
        { key: "feedback", show: (v) => v.feedback || NONE },
      ]}
      emptyText="该房间还没有看房预约"
    />
  );
}
