import { createContext, use, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/** What a page knows about the tab it lives in. */
export type PageFrame = { path: string; title: string; active: boolean };
export const PageContext = createContext<PageFrame>({ path: "", title: "", active: true });
export const usePage = (): PageFrame => use(PageContext);

// Unsaved work by page path. The tab bar asks before it closes such a page, the browser before it reloads.
const unsaved = new Map<string, Set<string>>();
export const dirtyPaths = (): ReadonlySet<string> =>
  new Set([...unsaved].filter(([, forms]) => forms.size > 0).map(([path]) => path));

addEventListener("beforeunload", (event) => {
  if (dirtyPaths().size) event.preventDefault();
});

/** Tells the shell that this page has unsaved work while `dirty` holds. */
export function useUnsaved(dirty: boolean): void {
  const { path } = usePage();
  const id = useId();
  useEffect(() => {
    const forms = unsaved.get(path) ?? new Set();
    unsaved.set(path, forms);
    if (dirty) forms.add(id);
    return () => void forms.delete(id);
  }, [path, id, dirty]);
}

/** Empty, null and undefined take a key out of the address. */
export type Patch = Record<
  string,
  string | number | boolean | readonly (string | number)[] | null | undefined
>;

/** A query string with changes applied to it. */
export function patched(search: string, changes: Patch): string {
  const next = new URLSearchParams(search);
  for (const [key, value] of Object.entries(changes)) {
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text === undefined || text === null || text === "" || text === false) next.delete(key);
    else next.set(key, String(text));
  }
  return next.size ? `?${next}` : "";
}

/** The page's own query string: filters, page, sort, open record. Survives reload, back and change of tab. */
export function useAddress(): [URLSearchParams, (changes: Patch, how?: { push?: boolean }) => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // two changes in one go: the second must see the first
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  const set = useCallback(
    (changes: Patch, how: { push?: boolean } = {}) => {
      const next = patched(latest.current, changes);
      if (next === latest.current) return;
      // a page that finishes something after the person has gone on does not call them back
      if (!location.pathname.endsWith(pathname)) return;
      latest.current = next;
      void navigate({ pathname, search: next }, { replace: !how.push });
    },
    [navigate, pathname],
  );
  return useMemo(() => [new URLSearchParams(search), set], [search, set]);
}

/** The one store that the page's list shows, which a new record is meant for. */
export function useOneVillage(): { villageId?: number } {
  const [address] = useAddress();
  const [only, ...more] = (address.get("villageIds") ?? "").split(",").filter(Boolean);
  return only && !more.length ? { villageId: Number(only) } : {};
}

/**
 * The outcome of an act of this page, under a number of its own in the address, in place of the keys that said what the act was
 * about: it is still there after a look at another tab, but not for the next act, even about the same record.
 */
export function useOutcome<T>(about: readonly string[]): [T | undefined, (next: T | undefined) => void] {
  const [address, set] = useAddress();
  const [all, setAll] = useState<readonly T[]>([]);
  const tell = (next: T | undefined) => {
    if (next !== undefined) setAll([...all, next]);
    const without = Object.fromEntries(about.map((key) => [key, undefined]));
    set({ ...without, done: next === undefined ? undefined : all.length + 1 });
  };
  return [all[Number(address.get("done")) - 1], tell];
}

/** Opens another screen of the console, in its own tab: go("/contract/RenterContractPage", { id: 7 }). */
export function useGo(): (path: string, query?: Patch) => void {
  const navigate = useNavigate();
  return useCallback((path, query = {}) => void navigate(pathTo(path, query)), [navigate]);
}

/** An address inside the console for <Link to>. */
export const pathTo = (path: string, query: Patch = {}): string => path + patched("", query);
