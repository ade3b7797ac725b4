import { z } from "zod";

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
  villages: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      apartments: z.number(),
      /** Rooms that are let one by one, and what they cost together a month, in fen. */
      rooms: z.number(),
      listPrice: z.number(),
    }),
  ),
  buildings: z.array(
    z.object({
      village: z.string(),
      name: z.string(),
      isNew: z.boolean(),
      floors: z.number(),
      apartments: z.number(),
      rooms: z.number(),
    }),
  ),
  /** The first 50 rows. */
  rows: z.array(
    z.object({
      row: z.number(),
      village: z.string(),
      place: z.string(),
      mode: z.string(),
      rooms: z.string(),
      area: z.number(),
      listPrice: z.number(),
    }),
  ),
});
export type ImportPreview = z.infer<typeof importPreview>;
