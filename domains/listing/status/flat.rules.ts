import { isBase, isLet, type Tile } from "./board.rules.ts";

/** 按套: the rooms of a flat as one tile. Where they differ it says how many of them are let. */
export function flatsOf(tiles: readonly Tile[]): Tile[] {
  return [...Map.groupBy(tiles, (t) => t.apartmentId).values()].map((rooms) => {
    const [first] = rooms as [Tile, ...Tile[]];
    if (rooms.length === 1) return first;
    const taken = rooms.filter(isLet).length;
    const one = rooms.every((r) => r.occupancy === first.occupancy);
    const whole = {
      ...first,
      name: one ? first.door : `${first.door} ${taken}/${rooms.length}`,
      area: Math.round(rooms.reduce((sum, r) => sum + r.area, 0) * 100) / 100,
      flags: rooms.reduce((bits, r) => bits | r.flags, 0),
      counts: (rooms.some(isBase) ? 1 : 0) + (taken ? 2 : 0),
      arrearsFen: rooms.reduce((sum, r) => sum + r.arrearsFen, 0),
      listPriceFen: rooms.reduce((sum, r) => sum + (r.listPriceFen ?? 0), 0) || null,
      tags: [...new Set(rooms.flatMap((r) => r.tags))],
      condition: rooms.find((r) => r.condition !== "rentable")?.condition ?? ("rentable" as const),
    };
    if (one) return whole;
    return {
      ...whole,
      occupancy: taken ? ("occupied" as const) : first.occupancy,
      partyName: `部分在租 ${taken}/${rooms.length}`,
      partyInitials: null,
      until: null,
      nextFrom: null,
    };
  });
}

/** The flat of a room, when it has more rooms than that one. */
export function flatOf(tiles: readonly Tile[], roomId: number): number | undefined {
  const flat = tiles.find((t) => t.id === roomId)?.apartmentId;
  return tiles.some((t) => t.apartmentId === flat && t.id !== roomId) ? flat : undefined;
}
