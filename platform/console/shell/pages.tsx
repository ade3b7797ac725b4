import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { Activity, memo, Suspense, useMemo, useRef } from "react";
import { NavigationType, UNSAFE_LocationContext as LocationContext } from "react-router";
import { Fence, pageOf } from "../screens/load.tsx";
import { PageContext } from "../screens/page.ts";
import { screenAt, type House, type Screen } from "../screens/screen.ts";
import { Broken, PageSkeleton } from "../parts/states.tsx";
import type { Tab, Tabs } from "./tabs.ts";

type PagesProps = { house: House; tabs: Tabs; versions: Record<string, number>; shown: string };

/**
 * Every page that was opened in this window stays mounted while its tab is open, hidden when another is shown: filters,
 * scroll and half-filled forms stay. A hidden page asks the server nothing.
 */
export function Pages({ house, tabs, versions, shown }: PagesProps) {
  const visited = useRef(new Set<string>());
  if (shown) visited.current.add(shown);
  const open = new Set(tabs.open.map((t) => t.path));
  for (const path of visited.current) if (!open.has(path)) visited.current.delete(path);
  return tabs.open
    .filter((tab) => visited.current.has(tab.path))
    .map((tab) => {
      const screen = screenAt(house, tab.path);
      return (
        screen && (
          <Activity
            key={`${tab.path} ${versions[tab.path] ?? 0}`}
            mode={tab.path === shown ? "visible" : "hidden"}
          >
            <OnePage screen={screen} tab={tab} active={tab.path === shown} />
          </Activity>
        )
      );
    });
}

type PageProps = { screen: Screen; tab: Tab; active: boolean };

/** Drawn anew for what becomes of its own tab, not for every step in another. */
const OnePage = memo(function OnePage({ screen, tab, active }: PageProps) {
  const Page = pageOf(screen);
  const { reset } = useQueryErrorResetBoundary();
  const frame = useMemo(() => ({ path: tab.path, title: tab.title, active }), [tab.path, tab.title, active]);
  // its own address, frozen while another tab is shown; `Routes` would hand on every step of the other tabs
  const at = useMemo(() => {
    const { path: pathname, search } = tab;
    const location = { pathname, search, hash: "", state: null, key: pathname, mask: undefined };
    return { location, navigationType: NavigationType.Pop };
  }, [tab]);
  return (
    <main className="body" tabIndex={-1}>
      <PageContext value={frame}>
        <Fence broken={(error) => <Broken error={error} retry={() => (reset(), location.reload())} />}>
          <Suspense fallback={<PageSkeleton />}>
            <LocationContext value={at}>
              <Page />
            </LocationContext>
          </Suspense>
        </Fence>
      </PageContext>
    </main>
  );
});
