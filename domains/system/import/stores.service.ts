import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import type { Row } from "./rows.service.ts";
import { nearest } from "./value.rules.ts";

export type Store = {
  id: number;
  name: string;
  shortName: string;
  code: string;
  mode: string;
  state: string;
  enterpriseId: number;
};

/**
 * The store that a row names in its column `village`, by name, short name or code; a name that two have leads to
 * neither. Says against the cell why records may not be brought into it; `only` is the store that was chosen for the
 * whole file.
 */
export async function storesNamed(read: Read) {
  const stores = await read.tx
    .selectFrom("village")
    .select(["id", "name", "shortName", "code", "mode", "state", "enterpriseId"])
    .where("id", "=", anyOf(read.who.villages))
    .execute();
  const found = new Map<string, Store>();
  const twice = new Set<string>();
  for (const store of stores)
    for (const name of new Set([store.name, store.code, store.shortName].filter(Boolean)))
      if (found.has(name)) twice.add(name);
      else found.set(name, store);
  for (const name of twice) found.delete(name);
  return (row: Row, only: number | null = null): Store | undefined => {
    const typed = row.text["village"];
    if (typed === undefined) return undefined;
    const store = found.get(typed);
    if (!store) {
      const near = nearest(typed, [...found.keys()]).join("、") || "无";
      row.add("village", `没有门店“${typed.slice(0, 30)}”，或无权查看；相近的有：${near}`);
    } else if (only !== null && store.id !== only) row.add("village", "与所选门店不一致");
    else if (store.state === "closed") row.add("village", "门店已停业");
    return store;
  };
}

/** The names of stores that a template offers: of the chosen one, or of all in scope. */
export async function openStores(read: Read, villageId?: number): Promise<string[]> {
  const stores = await read.tx
    .selectFrom("village")
    .select("name")
    .where("id", "=", anyOf(villageId ? [inScope(read.who, villageId)] : read.who.villages))
    .where("state", "<>", "closed")
    .orderBy("name")
    .execute();
  return stores.map(({ name }) => name);
}
