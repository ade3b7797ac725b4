import type { Fen } from "../../../platform/kernel/fen.ts";
import { isDivided, kindOf, type PriceUnit, type RentMode, type RoomKind } from "./words.rules.ts";

/** One room of a flat as a form or an import gives it. */
export type RoomGiven = {
  name: string;
  area: number;
  capacity?: number;
  productId?: number | null;
  listPrice?: Fen | null;
  lowestPrice?: Fen | null;
};
/** What all rooms of the flat share. */
export type RoomsShare = {
  orientation?: string;
  facilities?: string[];
  tags?: string[];
  minTermMonths?: number | null;
  firstDay?: string;
  unit?: PriceUnit;
};
export type RoomMade = RoomsShare & {
  kind: RoomKind;
  name: string;
  area: number;
  capacity: number;
  productId: number | null;
  price?: { listPrice: Fen; lowestPrice: Fen; unit: PriceUnit };
  /** Beds in a room; rooms below the whole flat. */
  below?: RoomMade[];
};

/**
 * The rooms of a flat. Let as a whole, by shop, parking space or store it has one, called like its door; a divided flat
 * has one per name, below a whole one where it may also be let whole.
 */
export function roomsOf(
  flat: { name: string; rentMode: RentMode; wholeToo: boolean; grossArea: number },
  given: readonly RoomGiven[],
  share: RoomsShare = {},
  /** Price and product of the whole flat, where a divided one may also be let whole. */
  whole: Partial<RoomGiven> = {},
): RoomMade[] {
  const kind = kindOf(flat.rentMode);
  const made = (room: RoomGiven): RoomMade => ({
    ...share,
    kind,
    name: room.name,
    area: room.area,
    capacity: room.capacity ?? (kind === "bed" ? 1 : 2),
    productId: room.productId ?? null,
    ...(room.listPrice && {
      price: {
        listPrice: room.listPrice,
        lowestPrice: room.lowestPrice ?? room.listPrice,
        unit: share.unit ?? "month",
      },
    }),
  });
  if (!isDivided(flat.rentMode)) return [made({ area: flat.grossArea, ...given[0], name: flat.name })];
  const rooms = given.map(made);
  if (!flat.wholeToo) return rooms;
  const capacity = Math.min(
    50,
    Math.max(
      1,
      rooms.reduce((sum, r) => sum + r.capacity, 0),
    ),
  );
  return [
    { ...made({ area: flat.grossArea, capacity, ...whole, name: flat.name }), kind: "whole", below: rooms },
  ];
}

/** All rooms of a flat, those below the whole one too. */
export const countRooms = (rooms: readonly RoomMade[]): number =>
  rooms.reduce((n, room) => n + 1 + countRooms(room.below ?? []), 0);
