import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { areaSeen } from "../public-area/area.queries.ts";
import { roomSeen } from "../room/room.queries.ts";

export type AssetPlace = {
  roomId: number | null;
  publicAreaId: number | null;
  villageId: number;
  enterpriseId: number;
  name: string;
  retired: boolean;
};

/** Where assets stand: a room or a public area in scope. */
export async function assetPlace(
  read: Read,
  { roomId, publicAreaId }: { roomId?: number | null | undefined; publicAreaId?: number | null | undefined },
): Promise<AssetPlace> {
  const place = roomId ? await roomSeen(read, roomId) : await areaSeen(read, publicAreaId!);
  const { enterpriseId } = await read.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", place.villageId)
    .executeTakeFirstOrThrow();
  return {
    roomId: roomId ?? null,
    publicAreaId: publicAreaId ?? null,
    villageId: place.villageId,
    enterpriseId,
    name: "fullName" in place ? place.fullName : place.name,
    retired: "retiredDay" in place && !!place.retiredDay && place.retiredDay <= read.today,
  };
}

/** The same for what comes in: a room that has left the stock takes nothing any more. */
export async function takingPlace(...asked: Parameters<typeof assetPlace>): Promise<AssetPlace> {
  const place = await assetPlace(...asked);
  if (place.retired) throw new Refusal("notAllowed", `${place.name} 已注销`);
  return place;
}
