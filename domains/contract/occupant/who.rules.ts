import type { Reply } from "../../../platform/kernel/call.ts";
import type { companyRooms } from "./occupant.contract.ts";

export type CompanyRoom = Reply<typeof companyRooms>[number];
export type Occupant = CompanyRoom["people"][number] & { roomName: string };

type At = Pick<Occupant, "id" | "roomId">;

/** Two people of different rooms change places; anybody else cannot. */
export function swapOf(chosen: readonly At[]): { why?: string; moves: { id: number; roomId: number }[] } {
  const [a, b, more] = chosen;
  if (!a || !b || more) return { why: "请勾选两位入住人", moves: [] };
  if (a.roomId === b.roomId) return { why: "两位入住人住在同一房间", moves: [] };
  return {
    moves: [
      { id: a.id, roomId: b.roomId },
      { id: b.id, roomId: a.roomId },
    ],
  };
}
