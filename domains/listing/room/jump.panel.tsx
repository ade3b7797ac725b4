import { pathTo } from "../../../platform/console/page.ts";
import { send } from "../../../platform/console/request.ts";
import type { Found } from "../../../platform/console/screen.ts";
import { roomOptions } from "./options.contract.ts";

/** Rooms for the jump box, by words of their full name or its initials. */
export const search = async (typed: string, signal: AbortSignal): Promise<Found[]> => {
  const found = await send(roomOptions, { query: { keyword: typed, limit: 8 } }, { signal });
  return found.map((room) => ({
    id: room.id,
    title: room.fullName,
    note: room.free ? room.layout : (room.why ?? ""),
    to: pathTo("/configuration/ApartmentManage", { view: "room", id: room.id }),
  }));
};
