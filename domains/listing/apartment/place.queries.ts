import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";

/** A flat that the caller may see, as it is stored. */
export const apartmentSeen = async (read: Read, id: number) =>
  seen(read.who, await read.tx.selectFrom("apartment").selectAll().where("id", "=", id).executeTakeFirst());
