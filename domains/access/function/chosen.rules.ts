/** A function as the picker of roles needs it, parents before children. */
export type Pickable = { key: string; parentKey: string | null; level: string; name: string };
export type Twig<N extends Pickable = Pickable> = { node: N; below: Twig<N>[] };

export function treeOf<N extends Pickable>(nodes: readonly N[]): Twig<N>[] {
  const below = Map.groupBy(nodes, (n) => n.parentKey ?? "");
  const known = new Set(nodes.map((n) => n.key));
  const walk = (n: N): Twig<N> => ({ node: n, below: (below.get(n.key) ?? []).map(walk) });
  return nodes.filter((n) => n.parentKey === null || !known.has(n.parentKey)).map(walk);
}

/** What can be ticked below a twig: actions, authority codes, and links that have nothing below them. */
export const leavesOf = (twig: Twig): string[] =>
  twig.below.length ? twig.below.flatMap(leavesOf) : [twig.node.key];

/** What of a role's keys is ticked: pages and menus follow from what stands below them. */
export const tickedOf = (tree: readonly Twig[], keys: readonly string[]): string[] => {
  const leaves = new Set(tree.flatMap(leavesOf));
  return keys.filter((key) => leaves.has(key));
};

/** Twigs of which something matches, with everything below what matches by itself. */
export function found<N extends Pickable>(tree: readonly Twig<N>[], word: string): Twig<N>[] {
  const typed = word.trim().toLowerCase();
  if (!typed) return [...tree];
  return tree.flatMap((twig) => {
    if (twig.node.name.toLowerCase().includes(typed) || twig.node.key.includes(typed)) return [twig];
    const below = found(twig.below, typed);
    return below.length ? [{ ...twig, below }] : [];
  });
}

export type Tick = "none" | "some" | "all";
export const tickOf = (leaves: readonly string[], chosen: ReadonlySet<string>): Tick => {
  const n = leaves.filter((key) => chosen.has(key)).length;
  return n === 0 ? "none" : n === leaves.length ? "all" : "some";
};
