import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { PRICE_UNITS, ROOM_KINDS, type PriceUnit, type RoomKind } from "../../listing/room/words.rules.ts";

/** What a customer is shown of a room: never its door, nor the lowest price. */
export type Share = {
  storeName: string;
  address: string;
  kind: RoomKind;
  layout: string;
  area: string;
  orientation: string;
  listPrice: Fen | null;
  unit: PriceUnit | null;
  freeFrom: string;
  consultantName: string;
  consultantPhone: string;
};

/** 整租 · 2室1厅1卫 · 86.5 ㎡ · 南 */
export const roomLine = (of: Share): string =>
  [ROOM_KINDS[of.kind][0], of.layout, `${Number(of.area)} ㎡`, of.orientation].filter(Boolean).join(" · ");

export const priceLine = ({ listPrice, unit }: Pick<Share, "listPrice" | "unit">): string =>
  listPrice === null || unit === null ? "价格面议" : `${yuan(listPrice)} ${PRICE_UNITS[unit][0]}`;

export const contactLine = (of: Share): string =>
  [of.consultantName, of.consultantPhone].filter(Boolean).join(" ");

/** The card in words, to be sent beside the picture or instead of it. */
export const shareText = (of: Share): string =>
  [
    of.storeName,
    roomLine(of),
    `租金 ${priceLine(of)}，${of.freeFrom} 起可入住`,
    of.address && `地址：${of.address}`,
    `联系人：${contactLine(of)}`,
  ]
    .filter(Boolean)
    .join("\n");
