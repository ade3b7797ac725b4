import { sql } from "kysely";
import { from, to } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList, type RowOf } from "../../../platform/server/lists/list.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { listLost, lostAt } from "./lost.contract.ts";
import { KNOWN_PATHS } from "./paths.rules.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { holders, PLACES } from "../operator/operator.queries.ts";

/** More different paths than this on one day are somebody's game, and are counted together. */
const MOST_A_DAY = 500;
const OTHERS = "/…";
const MOST_NAMES = 5;

async function countLost({ tx, today }: Read, path: string): Promise<void> {
  const known = KNOWN_PATHS.has(path);
  await sql`
    insert into lost_page (day, path, known)
    select ${today}::date,
      case when ${known} or exists (select 1 from lost_page where day = ${today}::date and path = ${path}::text)
        or (select count(*) from lost_page where day = ${today}::date) < ${MOST_A_DAY}
        then ${path}::text else ${OTHERS}::text end, ${known}
    on conflict (day, path) do update set times = lost_page.times + 1, last_at = now()`.execute(tx);
}

async function pageAt(read: Read, path: string) {
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
async function askable(read: Read) {
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

/** Paths in place of ids: counted by day, they are added up over the days asked for. */
const lost = listOf(listLost, {
  id: "path",
  grouped: sql`sum(times)::int times, count(*)::int days, max(last_at) "lastAt"`,
  from: sql`lost_page`,
  where: {
    from: from("day"),
    to: to("day"),
    keyword: (text) => sql`strpos(lower(path), lower(${text})) > 0`,
  },
  sort: { times: sql`sum(times)`, lastAt: sql`max(last_at)` },
  order: "lastAt",
  tie: sql`path`,
  columns: sql<Omit<RowOf<typeof listLost>, "title">>`page.id path, page.times, page.days, page."lastAt"`,
  join: sql``,
  rows: (rows) => rows.map((row) => ({ ...row, title: KNOWN_PATHS.get(row.path)?.title ?? "" })),
});

export default [
  serveRead(lostAt, async (read, { body: { path } }) => {
    await countLost(read, path);
    const [page, ask] = await Promise.all([pageAt(read, path), askable(read)]);
    return { page, ask };
  }),

  serveList(lost),
];
