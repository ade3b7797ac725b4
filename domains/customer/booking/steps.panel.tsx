import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { ListTable } from "../../../platform/console/list/list-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { listReservations } from "../reservation/reservation.contract.ts";
import { rentText } from "../reservation/reservation.rules.ts";
import { listViewings } from "../viewing/viewing.contract.ts";
import { leadMatches } from "../lead/acts.contract.ts";
import { LIVE, type LeadState } from "../lead/lead.rules.ts";
import { ShareDialog } from "./share.panel.tsx";

const BOOKING = "/configuration/BookingManagement";

/** Rooms that suit; from each the way to a viewing or a reservation. */
export function Matches({ lead }: { lead: { id: number; state: LeadState; moveInDay: string | null } }) {
  const { data, error, refetch } = useQuery(ask(leadMatches, { params: { id: lead.id } }));
  const [sharing, setSharing] = useState<number>();
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const acts = (LIVE as readonly string[]).includes(lead.state) && may("15.add");
  const known = (room: { id: number; villageId: number }) => ({
    leadId: lead.id,
    roomId: room.id,
    villageId: room.villageId,
  });
  return (
    <>
      <RowTable
        flat
        schema={leadMatches.reply!}
        rows={data}
        columns={[
          { key: "fullName", to: (r) => reach("/configuration/apartment", { room: r.id }) },
          "kind",
          "layout",
          { key: "area", show: (r) => `${r.area} ㎡` },
          "orientation",
          {
            key: "listPrice",
            show: (r) =>
              r.listPrice !== null && r.unit ? rentText({ rent: r.listPrice, unit: r.unit }) : NONE,
          },
          ...(acts
            ? [
                {
                  own: "acts",
                  title: "操作",
                  width: 148,
                  show: (r: (typeof data)[number]) => (
                    <span className="row">
                      <button type="button" className="linkish" onClick={() => setSharing(r.id)}>
                        分享
                      </button>
                      <Link to={pathTo(BOOKING, { tab: "viewing", book: 1, ...known(r) })}>看房</Link>
                      {lead.state !== "reserved" && (
                        <Link to={pathTo(BOOKING, { tab: "reservation", reserve: 1, ...known(r) })}>
                          预订
                        </Link>
                      )}
                    </span>
                  ),
                },
              ]
            : []),
        ]}
        emptyText="没有符合意向的空闲房间，可放宽预算、户型或门店"
      />
      {sharing && <ShareDialog leadId={lead.id} roomId={sharing} onClose={() => setSharing(undefined)} />}
    </>
  );
}

export function ViewingsOf({ leadId }: { leadId: number }) {
  return (
    <ListTable
      flat
      call={listViewings}
      query={{ leadId }}
      columns={[
        { key: "number", to: (v) => pathTo(BOOKING, { tab: "viewing", view: "list", id: v.id }) },
        "at",
        "rooms",
        "assigneeName",
        "state",
        "result",
        { key: "opinions", show: (v) => v.opinions || v.feedback || NONE },
      ]}
      emptyText="还没有看房预约"
    />
  );
}

export function ReservationsOf({ leadId }: { leadId: number }) {
  return (
    <ListTable
      flat
      call={listReservations}
      query={{ leadId }}
      columns={[
        { key: "number", to: (r) => pathTo(BOOKING, { tab: "reservation", id: r.id }) },
        "roomName",
        "moveInDay",
        "holdUntil",
        "earnest",
        "received",
        "state",
      ]}
      emptyText="还没有预订"
    />
  );
}
