import { Link } from "react-router";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { BUILDINGS, ROOMS } from "./building.contract.ts";

type Placed = { villageName: string; roomId: number | null; roomName: string | null };

/** Where something belongs: the room, which leads to its own page, with its store behind it; the store where there is no room. */
export function Place({ of }: { of: Placed }) {
  const to = of.roomId ? reach("/configuration/apartment", { id: of.roomId }) : undefined;
  if (!of.roomName) return <span className="dim">{of.villageName}</span>;
  const room = <Rooms names={of.roomName} />;
  return to ? <Link to={to}>{room}</Link> : room;
}

/** 楼栋 and 房间, of the chosen stores where some are chosen. */
export const placesIn = (villageIds: string | null): { buildings: Source; rooms: Source } => {
  // rooms are looked up in one store or in all; buildings in any number
  const one = villageIds && !villageIds.includes(",") ? { villageId: villageIds } : {};
  return {
    buildings: { ...BUILDINGS, query: villageIds ? { villageIds } : {} },
    rooms: { ...ROOMS, query: { ...ROOMS.query, ...one } },
  };
};
