import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { HoldForm } from "./hold.form.tsx";
import { holdListings, roomListings } from "./listing.contract.ts";
import { Outside } from "./listing.panel.tsx";
import "../channel/channel.css";

const PAGE = "/configuration/ApartmentSync";

/** How a room stands on each channel, in its drawer. */
export default function RoomListings({ id }: { id: number }) {
  const act = useAct();
  const [holding, setHolding] = useState(false);
  const { data, error, refetch } = useQuery(ask(roomListings, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <>
      <div className="sync__bar row gap-6 wrap">
        {data.held && <span>暂不发布：{data.reason}</span>}
        <ActionButtons
          actions={[
            data.held
              ? {
                  label: "发布",
                  does: holdListings,
                  run: () =>
                    act(holdListings, { body: { roomIds: [id], hold: false } }, { done: "已恢复发布" }),
                }
              : { label: "暂不发布", does: holdListings, run: () => setHolding(true) },
          ]}
        />
      </div>
      <RowTable
        flat
        schema={roomListings.reply.shape.list}
        rows={data.list}
        emptyText="该房间还没有在渠道发布"
        columns={[
          {
            key: "channelName",
            to: (l) => (reach(PAGE) === undefined ? undefined : pathTo(PAGE, { id: l.id })),
          },
          "state",
          "title",
          { key: "reason", show: (l) => l.reason || NONE },
          { key: "outsideUrl", show: (l) => (l.outsideUrl ? <Outside url={l.outsideUrl} /> : NONE) },
          "syncedAt",
        ]}
      />
      {holding && (
        <HoldForm
          title="暂不发布"
          note="该房间从全部渠道下架，恢复前不再发布"
          body={{ roomIds: [id] }}
          onClose={() => setHolding(false)}
        />
      )}
    </>
  );
}
