import { z } from "zod";
import { money, number, text } from "../../../platform/kernel/field.ts";

const rooms = number("出租房间");
const apartments = number("房源");
/** What rooms that are let one by one cost together a month. */
const listPrice = money("标价合计");

/** What a checked file would make, and the totals to compare with the sheet's own. */
export const importPreview = z.object({
  made: z.object({
    buildings: z.number(),
    units: z.number(),
    floors: z.number(),
    apartments: z.number(),
    rooms: z.number(),
    prices: z.number(),
  }),
  villages: z.array(z.object({ id: z.number(), name: text("门店"), apartments, rooms, listPrice })),
  buildings: z.array(
    z.object({
      village: text("门店"),
      name: text("楼栋"),
      isNew: z.boolean(),
      floors: number("楼层"),
      apartments,
      rooms,
    }),
  ),
  /** The first 50 rows. */
  rows: z.array(
    z.object({
      row: number("行"),
      village: text("门店"),
      place: text("位置"),
      mode: text("出租方式"),
      rooms: text("房间"),
      area: number("建筑面积"),
      listPrice: money("标价"),
    }),
  ),
});
export type ImportPreview = z.infer<typeof importPreview>;
