import { sql } from "kysely";
import type { Action } from "../../../platform/kernel/call.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
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

/** Of each database and each enterprise (0: the platform, which counts all roles) the whole tree, and what it was made of. */
const trees = new WeakMap<object, Map<number, { stamp: string; tree: Promise<Tree> }>>();
type Tree = Awaited<ReturnType<typeof functionTree>>;

/**
 * The whole tree as it is now: hundreds of functions of which a release changes a few. It is made anew when a function
 * changed, or a role that is counted in it.
 */
export async function wholeTree(read: Read): Promise<Tree> {
  const all = read.who.superType === "0";
  const { rows } = await sql<{ stamp: string }>`
    select (select generation from function_generation) || '/' || coalesce((select md5(string_agg(id || '@' || version, ',' order by id))
      from role where ${all} or enterprise_id = ${read.who.enterpriseId}), '') stamp`.execute(read.tx);
  const { stamp } = rows[0]!;
  const mine = all ? 0 : read.who.enterpriseId;
  const known = trees.get(read.replica) ?? new Map<number, { stamp: string; tree: Promise<Tree> }>();
  trees.set(read.replica, known);
  const before = known.get(mine);
  if (before?.stamp === stamp) return before.tree;
  const tree = functionTree(read, {}).then(keptAnswer);
  if (known.size > 100) known.clear();
  known.set(mine, { stamp, tree });
  // what failed is asked for again
  tree.catch(() => known.delete(mine));
  return tree;
}

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
