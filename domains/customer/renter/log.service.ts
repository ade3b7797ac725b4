import type { Act } from "../../../platform/server/pipeline/act.ts";
import { noteParty } from "../../party/party/log.service.ts";

type Entry = { action: string; summary: string; before?: unknown; after?: unknown };

/** Writes the renter's timeline. */
export const noteRenter = (
  act: Act,
  renter: { id: number; homeVillageId: number },
  entry: Entry,
  alsoFor?: number,
): Promise<void> =>
  noteParty(act, { kind: "renter", id: renter.id, homeVillageId: renter.homeVillageId }, entry, alsoFor);
