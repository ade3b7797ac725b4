/** A department and those above it; deeper ones help nobody. */
export const MOST_DEEP = 8;

export type Placed = { id: number; parentId: number | null };

/** In reading order: each followed by those below it, siblings as they come in. */
export function inReadingOrder<D extends Placed>(all: readonly D[]): (D & { depth: number })[] {
  const below = Map.groupBy(all, (d) => d.parentId);
  const walk = (parent: number | null, depth: number): (D & { depth: number })[] =>
    (below.get(parent) ?? []).flatMap((d) => [{ ...d, depth }, ...walk(d.id, depth + 1)]);
  return walk(null, 0);
}

export function withBelow(all: readonly Placed[], id: number): number[] {
  const below = Map.groupBy(all, (d) => d.parentId);
  const walk = (at: number): number[] => [at, ...(below.get(at) ?? []).flatMap((d) => walk(d.id))];
  return walk(id);
}

/** What forbids to put a department (0 = a new one) below another, or nothing. */
export function whyNotBelow(all: readonly Placed[], id: number, parentId: number | null): string | undefined {
  if (parentId === null) return undefined;
  const own = id ? withBelow(all, id) : [];
  if (own.includes(parentId)) return "不能选择自身或下级部门";
  const byId = new Map(all.map((d) => [d.id, d]));
  const levelOf = (at: number | null | undefined): number =>
    at === null || at === undefined ? 0 : 1 + levelOf(byId.get(at)?.parentId);
  const under = (at: number): number =>
    1 + Math.max(0, ...all.filter((d) => d.parentId === at).map((d) => under(d.id)));
  return levelOf(parentId) + (id ? under(id) : 1) > MOST_DEEP ? `部门最多${MOST_DEEP}级` : undefined;
}
