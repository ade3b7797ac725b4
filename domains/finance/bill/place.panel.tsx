import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { roomBeside } from "../../../platform/kernel/names.ts";
import type { Source } from "../../../platform/console/source.ts";
import { reach } from "../../../platform/console/reach.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { buildingOptions } from "./building.contract.ts";

type Placed = { villageName: string; roomId: number | null; roomName: string | null };

/** Where something belongs: the store in grey, and beside it the room, which leads to its own page. */
export function Place({ of }: { of: Placed }) {
  const name = roomBeside(of.villageName, of.roomName);
  const to = of.roomId ? reach("/configuration/apartment", { id: of.roomId }) : undefined;
  return (
    <span className="place">
      <span className="dim cut">{of.villageName}</span>
      {to ? (
        <Link className="cut" to={to}>
          {name}
        </Link>
      ) : (
        <span className="cut">{name}</span>
      )}
    </span>
  );
}

/** 楼栋 and 房间, of the chosen stores where some are chosen. */
export const placesIn = (villageIds: string | null): { buildings: Source; rooms: Source } => {
  // rooms are looked up in one store or in all; buildings in any number
  const one = villageIds && !villageIds.includes(",") ? { villageId: villageIds } : {};
  return {
    buildings: {
      call: buildingOptions,
      query: villageIds ? { villageIds } : {},
      option: ((b: Reply<typeof buildingOptions>[number]) => ({
        value: b.id,
        label: b.name,
        note: b.villageName,
      })) as Source["option"],
    },
    rooms: {
      call: roomOptions,
      query: { limit: 20, ...one },
      option: ((r: { id: number; fullName: string }) => ({
        value: r.id,
        label: r.fullName,
      })) as Source["option"],
    },
  };
};
