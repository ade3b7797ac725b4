import { yuan } from "../../../platform/kernel/fen.ts";
import { MoneyInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { PRICE_UNITS, type PriceUnit } from "../../listing/room/words.rules.ts";
import type { Rent } from "./rent.rules.ts";
import { useRoom } from "./room.form.tsx";

/** An amount with what it counts behind it. */
export const RentInput = ({ unit, ...p }: InputProps<number> & { unit: PriceUnit }) => (
  <MoneyInput {...p} unit={PRICE_UNITS[unit][0]} />
);

/** The same of a room that counts as its price does. */
export function RoomRentInput({ roomId, ...p }: InputProps<number> & { roomId: number | undefined }) {
  const room = useRoom({ villageId: undefined }, roomId);
  return <RentInput {...p} unit={room?.priceUnit ?? "month"} />;
}

/** 3,000.00 /月 */
export const RentShown = ({ of }: { of: Rent }) => (
  <>
    {yuan(of.rent)} <small className="dim">{PRICE_UNITS[of.unit][0].replace("元", "")}</small>
  </>
);
