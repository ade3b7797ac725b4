import { useQuery } from "@tanstack/react-query";
import { roomLabel } from "../../../platform/kernel/names.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";

type Of = { villageId: number | undefined; from?: string | undefined; to?: string | null | undefined };
type Room = { id: number; fullName: string; layout: string; listPrice: number | null };

const sourceOf = ({ villageId, from, to }: Of): Source => ({
  call: roomOptions,
  query: { villageId, ...(from && { from }), ...(to && from && to >= from && { to }), onlyFree: "1" },
  option: ((r: Room) => ({
    value: r.id,
    label: roomLabel(r.fullName),
    note: [r.layout, r.listPrice !== null && yuan(r.listPrice)].filter(Boolean).join(" "),
  })) as Source["option"],
});

/** Rooms of a store that are free on the wished days. */
export const FreeRoomInput = ({ of, ...p }: InputProps<number> & { of: Of }) => (
  <RecordSelect
    {...p}
    disabled={p.disabled || of.villageId === undefined}
    source={sourceOf(of)}
    placeholder={of.villageId === undefined ? "请先选择门店" : "门牌或楼栋，只列空闲的房间"}
  />
);

/** A chosen room as it stands: its price, and why it cannot be had when it cannot. */
export function useRoom({ villageId, from, to }: Of, roomId: number | undefined) {
  const { data } = useQuery({
    ...ask(roomOptions, {
      query: {
        ids: String(roomId ?? 0),
        ...(villageId && { villageId }),
        ...(from && { from }),
        ...(to && from && to >= from && { to }),
      },
    }),
    enabled: roomId !== undefined,
  });
  return data?.[0];
}
