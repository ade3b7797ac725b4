import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { Activity, Suspense, useMemo, useRef } from "react";
import { Route, Routes } from "react-router";
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

function OnePage({ screen, tab, active }: { screen: Screen; tab: Tab; active: boolean }) {
  const Page = pageOf(screen);
  const { reset } = useQueryErrorResetBoundary();
  const frame = useMemo(() => ({ path: tab.path, title: tab.title, active }), [tab.path, tab.title, active]);
  // its own address, frozen while another tab is shown
  const at = useMemo(
    () => ({ pathname: tab.path, search: tab.search, hash: "", state: null, key: tab.path, mask: undefined }),
    [tab.path, tab.search],
  );
  return (
    <main className="body" tabIndex={-1}>
      <PageContext value={frame}>
        <Fence broken={(error) => <Broken error={error} retry={() => (reset(), location.reload())} />}>
          <Suspense fallback={<PageSkeleton />}>
            <Routes location={at}>
              <Route path="*" element={<Page />} />
            </Routes>
          </Suspense>
        </Fence>
      </PageContext>
    </main>
  );
}
