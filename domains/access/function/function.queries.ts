import { sql } from "kysely";
import type { Action } from "../../../platform/kernel/call.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { markedCache } from "../../../platform/server/database/cache.ts";
import { keptAnswer } from "../../../platform/server/pipeline/prepared-answer.ts";
import type { Arranged } from "../../../platform/kernel/arranged.ts";
import { arrangement } from "./menu.rules.ts";

/**
 * Roles that hold a function or something below it: the platform counts them all, everybody else those of their
 * enterprise.
 */
const nodes = (read: Pick<Read, "tx" | "who">) =>
  read.tx
    .with("held", (db) =>
      db
        .selectFrom("roleFunction as f")
        .innerJoin("role as r", "r.id", "f.roleId")
        .innerJoin("functionNode as n", "n.key", "f.key")
        .leftJoin("functionNode as p", "p.key", "n.parentKey")
        .innerJoin(
          sql<{ key: string }>`lateral (values (n.key), (p.key), (p.parent_key))`.as<"up">(sql`up(key)`),
          (j) => j.onTrue(),
        )
        .where(sql<boolean>`${read.who.superType === "0"} or r.enterprise_id = ${read.who.enterpriseId}`)
        .select(({ fn }) => ["up.key", fn.count<number>("f.roleId").distinct().as("roles")])
        .groupBy("up.key"),
    )
    .selectFrom("functionNode as n")
    .leftJoin("held as h", "h.key", "n.key")
    .selectAll("n")
    .select(({ fn }) => fn.coalesce("h.roles", sql<number>`0`).as("roles"));

type Found = Awaited<ReturnType<ReturnType<typeof nodes>["execute"]>>[number];

export const shownNode = (n: Found) => ({
  ...n,
  level: String(n.level) as "1" | "2" | "3",
  action: n.action as Action | null,
  state: n.enabled ? ("on" as const) : ("off" as const),
});

export async function foundNode(read: Pick<Read, "tx" | "who">, id: number): Promise<Found> {
  const node = await nodes(read).where("n.id", "=", id).executeTakeFirstOrThrow(notFound);
  return node;
}

type Tree = Awaited<ReturnType<typeof functionTree>>;
const caller = ({ who }: Read) => (who.superType === "0" ? 0 : who.enterpriseId);

/** Of each enterprise (0: the platform, which counts all roles) the whole tree: hundreds of functions of which a release changes a few. */
const trees = markedCache<Read, number, Tree>({
  base: ({ replica }) => replica,
  marks: async (read, [enterpriseId]) => {
    const { rows } = await sql<{ mark: string }>`
      select (select generation from function_generation) || '/' || coalesce((select md5(string_agg(id || '@' || version, ',' order by id))
        from role where ${enterpriseId} = 0 or enterprise_id = ${enterpriseId}), '') mark`.execute(read.tx);
    return new Map([[enterpriseId!, rows[0]!.mark]]);
  },
  make: async (read, [enterpriseId]) => new Map([[enterpriseId!, keptAnswer(await functionTree(read, {}))]]),
  most: 100,
});

/** The whole tree as it is now; made anew when a function changed, or a role that is counted in it. */
export const wholeTree = async (read: Read): Promise<Tree> =>
  (await trees(read, [caller(read)])).get(caller(read))!;

type Filter = { level?: string | undefined; state?: string | undefined; keyword?: string | undefined };

/** Parents before their children, siblings in order; under a filter what matches and what stands above it. */
export async function functionTree(read: Read, { level, state, keyword }: Filter) {
  const all = await nodes(read).orderBy("n.orderNum").orderBy("n.permissionId").orderBy("n.key").execute();
  const below = Map.groupBy(all, (n) => n.parentKey ?? "");
  const word = keyword?.toLowerCase();
  const matches = (n: Found) =>
    (!level || String(n.level) === level) &&
    (!state || n.enabled === (state === "on")) &&
    (!word ||
      [n.name, n.key, n.path ?? ""].some((text) => text.toLowerCase().includes(word)) ||
      String(n.permissionId) === word);
  const walk = (parent: string): (ReturnType<typeof shownNode> & { matches: boolean })[] =>
    (below.get(parent) ?? []).flatMap((n) => {
      const under = walk(n.key);
      const hit = matches(n);
      return hit || under.length ? [{ ...shownNode(n), matches: hit }, ...under] : [];
    });
  return walk("");
}

/** What people made of the menus and pages that are switched on. */
export async function menuArrangement(read: Pick<Read, "tx">): Promise<Arranged[]> {
  const rows = await read.tx
    .selectFrom("functionNode as n")
    .innerJoin("functionOpen as o", "o.key", "n.key")
    .selectAll("n")
    .where("n.level", "<", 3)
    .execute();
  return arrangement(rows);
}
