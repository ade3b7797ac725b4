import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { filled, type Mark, type Scope } from "./watermark.rules.ts";

/** What marks the pages or files of the person who reads, with their own name in it; nothing where none is wanted. */
export async function markOf(read: Read, scope: Scope): Promise<Mark | undefined> {
  const { tx, who, settings, now } = read;
  const row = await tx
    .selectFrom("watermarkConfig as w")
    .innerJoin("operator as o", "o.enterpriseId", "w.enterpriseId")
    .select([
      "w.content",
      "w.opacity",
      "w.angle",
      "w.gap",
      "w.scopes",
      "w.villageIds",
      "o.account",
      "o.phone",
    ])
    .where("o.id", "=", who.operatorId)
    .where("w.enabled", "=", true)
    .executeTakeFirst();
  if (!row?.scopes.includes(scope)) return undefined;
  if (row.villageIds.length && !row.villageIds.some((id) => who.villages.includes(id))) return undefined;
  const brand = await brandOf(settings.BRAND);
  const text = filled(row.content, {
    realName: who.name,
    phoneTail: row.phone.slice(-4),
    account: row.account,
    date: timeInZone(now, settings.TIME_ZONE).slice(0, 10),
    brand: brand.productTitle,
  });
  return { text, opacity: row.opacity, angle: row.angle, gap: row.gap };
}
