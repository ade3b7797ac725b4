import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { CONTRACT_PAGE } from "../../finance/bill/bill.rules.ts";
import { type FirmCalls, firmContract } from "../firm/firm.contract.ts";

type Summary = Reply<FirmCalls["summary"]>;
type Room = Summary["rooms"][number];

const useSummary = (calls: FirmCalls, id: number) => useQuery(ask(calls.summary, { params: { id } }));

/** One figure of the summary, which is counted apart so that the record never waits for it. */
export function Summed(p: { calls: FirmCalls; id: number; show: (s: Summary) => React.ReactNode }) {
  const { data } = useSummary(p.calls, p.id);
  return data ? p.show(data) : <span className="dim">…</span>;
}

export function FirmContracts({ calls, id }: { calls: FirmCalls; id: number }) {
  const { data, error, refetch } = useSummary(calls, id);
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={firmContract}
      rows={data.contracts}
      columns={[
        {
          key: "contractNo",
          to: (c) => reach(CONTRACT_PAGE[calls.kind], { id: c.id }),
        },
        "state",
        "villageName",
        "roomNames",
        "rooms",
        "startDate",
        "endDate",
        "monthlyRent",
        { key: "overdue", strong: true },
      ]}
      emptyText="还没有合同"
    />
  );
}

/** The shops a merchant has now; nobody lives in them. */
export function FirmRooms({ calls, id }: { calls: FirmCalls; id: number }) {
  const { data, error, refetch } = useSummary(calls, id);
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const rooms = data.rooms;
  if (!rooms.length)
    return <RowTable schema={firmContract} rows={[]} columns={[]} emptyText="没有在租房间" />;
  return (
    <div className="box">
      <table className="tbl">
        <thead>
          <tr>
            <th>房间</th>
            <th>合同</th>
            <th className="num">面积 ㎡</th>
            <th className="num">月租金</th>
            <th>到期日</th>
          </tr>
        </thead>
        <tbody>
          {rooms.map((room) => (
            <RoomLine key={`${room.contractId} ${room.roomId}`} room={room} kind={calls.kind} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RoomLine({ room, kind }: { room: Room; kind: FirmCalls["kind"] }) {
  const opens = reach(CONTRACT_PAGE[kind], { id: room.contractId });
  const to = reach("/configuration/apartment", { room: room.roomId });
  return (
    <tr>
      <td>{to ? <Link to={to}>{room.roomName}</Link> : room.roomName}</td>
      <td>{opens ? <Link to={opens}>{room.contractNo}</Link> : room.contractNo}</td>
      <td className="num">{room.area}</td>
      <td className="num">
        <Money fen={room.monthlyRent} />
      </td>
      <td>{room.endDate ?? NONE}</td>
    </tr>
  );
}

/** An amount that opens the list it is the sum of. */
export const Drilled = ({ fen, to }: { fen: number; to: string | undefined }) =>
  fen && to ? (
    <Link to={to}>
      <Money fen={fen} />
    </Link>
  ) : (
    <Money fen={fen} />
  );
