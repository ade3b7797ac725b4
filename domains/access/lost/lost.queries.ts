import { sql } from "kysely";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { holders, PLACES } from "../operator/operator.queries.ts";
import { KNOWN_PATHS } from "./paths.rules.ts";

/** More different paths than this on one day are somebody's game, and are counted together. */
const MOST_A_DAY = 500;
const OTHERS = "/…";
const MOST_NAMES = 5;

export async function countLost({ tx, today }: Read, path: string): Promise<void> {
  const known = KNOWN_PATHS.has(path);
  await sql`
    insert into lost_page (day, path, known)
    select ${today}::date,
      case when ${known} or exists (select 1 from lost_page where day = ${today}::date and path = ${path}::text)
        or (select count(*) from lost_page where day = ${today}::date) < ${MOST_A_DAY}
        then ${path}::text else ${OTHERS}::text end, ${known}
    on conflict (day, path) do update set times = lost_page.times + 1, last_at = now()`.execute(tx);
}

export async function pageAt(read: Read, path: string) {
  const known = KNOWN_PATHS.get(path);
  if (!known) return null;
  const keys = known.codes.map(String);
  const nodes = await read.tx
    .selectFrom("functionNode as n")
    .leftJoin("functionOpen as o", "o.key", "n.key")
    .select(["n.key", "n.name", sql<boolean>`o.key is not null`.as("enabled")])
    .where("n.key", "in", keys)
    .orderBy("n.orderNum")
    .execute();
  return {
    title: known.title,
    functions: nodes.map(({ key, name, enabled }) => ({
      code: Number(key),
      name,
      enabled,
      held: [...read.who.permits].some((permit) => permit.startsWith(`${key}.`)),
    })),
  };
}

/** Those of one's own enterprise who may give functions to others; who runs the platform is asked where nobody else is. */
export async function askable(read: Read) {
  const may: Permit[] = ["46.edit"];
  const found = await holders(read, may)
    .select(["o.superType", PLACES.as("places")])
    .where("o.enterpriseId", "=", read.who.enterpriseId)
    .where("o.id", "!=", read.who.operatorId)
    .clearOrderBy()
    .orderBy(sql`o.super_type = '1'`, "desc")
    .orderBy(sql`o.super_type = ''`, "desc")
    .orderBy("o.id")
    .limit(MOST_NAMES)
    .execute();
  return found.map((o) => ({
    name: o.realName,
    role: { "0": "平台管理员", "1": "企业管理员" }[o.superType] ?? o.places,
  }));
}
