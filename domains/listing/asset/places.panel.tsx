import type { Source } from "../../../platform/kernel/filter.ts";
import { roomLabel } from "../../../platform/kernel/names.ts";
import { publicAreas } from "../public-area/area.contract.ts";
import { roomOptions } from "../room/options.contract.ts";

export type At = { roomId: number } | { publicAreaId: number };

/** Rooms and public areas to choose from. */
export const ROOMS: Source = {
  call: roomOptions,
  option: (room: { id: number; fullName: string }) => ({ value: room.id, label: roomLabel(room.fullName) }),
};
export const AREAS: Source = {
  call: publicAreas,
  query: { pageSize: 200, want: "rows" },
  option: (area: { id: number; name: string; villageName: string; place: string }) => ({
    value: area.id,
    label: area.name,
    note: `${area.villageName} ${area.place}`,
  }),
};
