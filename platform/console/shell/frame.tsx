import { Suspense, useEffect, useState, useRef } from "react";
import { useLocation, useNavigate, Link } from "react-router";
import { Button } from "../parts/button.tsx";
import { confirmLeave } from "../parts/dialog.tsx";
import { titled } from "./title.ts";
import { HOME, LOST } from "../session/guard.ts";
import { useDisplay, displayNow } from "../brand/display.ts";
import { Header } from "./header.tsx";
import { Jump } from "./jump.tsx";
import { usePhone } from "../filter/stored-choice.ts";
import { askLeave } from "./log-out.ts";
import { Fence, panelOf } from "../screens/load.tsx";
import { Lost, LOST_TITLE } from "../screens/lost.tsx";
import { dirtyPaths } from "../screens/page.ts";
import { Pages } from "./pages.tsx";
import { countOpening } from "../screens/page-usage.ts";
import { mayOpen } from "../session/permits.ts";
import { reach } from "../screens/screen-link.ts";
import { litPath, menuTree, screenAt, type House } from "../screens/screen.ts";
import type { Operator } from "../session/session.ts";
import { Side } from "./side.tsx";
import { useSlot } from "../screens/slots.ts";
import { keep, kept, windowKept } from "../session/storage.ts";
import { close, closingOf, NO_TABS, show, type Closing, type Tabs } from "./tabs.ts";
import { toast } from "../parts/toast.ts";
import { TopMenu } from "./top-menu.tsx";
import { Dropdown } from "antd";
import { Icon } from "../parts/icons.tsx";
import { useWords, type Word } from "./words.ts";

type Props = {
  tabs: Tabs;
  /** Whether the workbench may be opened: the way to it stays where its tab is closed. */
  home: boolean;
  lit: string;
  onGo: (path: string) => void;
  onClose: (path: string, how: Closing) => void;
  onRefresh: (path: string) => void;
};

const itemsIn = (word: (word: Word) => string) => [
  { key: "self", label: word("closeSelf") },
  { key: "right", label: word("closeRight") },
  { key: "left", label: word("closeLeft") },
  { key: "others", label: word("closeOthers") },
  { type: "divider" as const },
  { key: "refresh", label: word("refresh") },
];

function TabBar({ tabs, home, lit, onGo, onClose, onRefresh }: Props) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    bar.current?.querySelector(".tab.on")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [lit]);
  const items = itemsIn(useWords());
  const menuOf = (path: string) => ({
    items,
    onClick: ({ key }: { key: string }) =>
      key === "refresh" ? onRefresh(path) : onClose(path, key as Closing),
  });
  return (
    <div className="tabs__bar row gap-0">
      {home && !tabs.open.some((tab) => tab.path === HOME) && (
        <Link className="ib tabs__home" to={HOME} aria-label="工作台" title="工作台">
          <Icon name="home" size={14} />
        </Link>
      )}
      <nav className="tabs" aria-label="已打开的页面" ref={bar}>
        {tabs.open.map((tab) => (
          <Dropdown key={tab.path} trigger={["contextMenu"]} menu={menuOf(tab.path)}>
            <div
              className={`tab ${tab.path === lit ? "on" : ""}`}
              onAuxClick={(e) => e.button === 1 && onClose(tab.path, "self")}
            >
              <button
                type="button"
                aria-current={tab.path === lit ? "page" : undefined}
                onClick={() => onGo(tab.path)}
              >
                {tab.title}
              </button>
              <button
                type="button"
                className="tab__x"
                aria-label={`关闭${tab.title}`}
                onClick={() => onClose(tab.path, "self")}
              >
                <Icon name="close" size={12} />
              </button>
            </div>
          </Dropdown>
        ))}
      </nav>
      {tabs.open.length > 1 && (
        <Dropdown
          trigger={["click"]}
          placement="bottomRight"
          menu={{
            items: tabs.open.map((tab) => ({ key: tab.path, label: tab.title })),
            selectedKeys: [lit],
            onClick: ({ key }) => onGo(key),
          }}
        >
          <button type="button" className="ib tabs__all" aria-label="全部标签" title="全部标签">
            <Icon name="down" size={14} />
          </button>
        </Dropdown>
      )}
    </div>
  );
}

/** Less is a tremble of the hand. */
const STEP_PX = 24;

/** Notes on the document which way people scroll, so that a header that may hide goes away and comes back. */
function useHidingHeader(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let box: EventTarget | null = null;
    let from = 0;
    const onScroll = (event: Event) => {
      if (!displayNow().hideHeader || !(event.target instanceof HTMLElement)) return;
      const { scrollTop } = event.target;
      if (event.target !== box) {
        box = event.target;
        from = scrollTop;
      }
      if (Math.abs(scrollTop - from) < STEP_PX && scrollTop > 0) return;
      dataset["away"] = String(scrollTop > from && scrollTop > STEP_PX);
      from = scrollTop;
    };
    addEventListener("scroll", onScroll, { capture: true, passive: true });
    return () => removeEventListener("scroll", onScroll, { capture: true });
  }, []);
}

/** Side menu, header, tab bar and the open pages. The address decides what is shown; the tabs remember the rest. */
export function Frame({ house, operator }: { house: House; operator: Operator }) {
  const at = useLocation();
  const navigate = useNavigate();
  const [tabs, setTabs] = useState<Tabs>(() => restored(house));
  const [folded, setFolded] = useState(() => kept<boolean>("folded") ?? false);
  const [drawer, setDrawer] = useState(false);
  const [jump, setJump] = useState(false);
  const [versions, setVersions] = useState<Record<string, number>>({});
  const menu = menuTree(house, mayOpen);
  const { layout, tabs: tabbed } = useDisplay();
  const phone = usePhone();
  useHidingHeader();
  const screen = screenAt(house, at.pathname);
  const found = screen && screen.kind !== "public" && mayOpen(screen) ? screen : undefined;
  const lost = at.pathname === LOST;
  // the path of a menu opens the first of its pages that is permitted
  const first = found
    ? undefined
    : menu.find((m) => m.path === at.pathname)?.children.find((c) => !c.href)?.path;

  useEffect(() => {
    if (found) {
      setTabs((t) => show(t, { path: found.path, title: found.title, search: at.search }, dirtyPaths()));
      document.title = titled(found.title);
    } else if (lost) document.title = titled(LOST_TITLE);
    else if (first) void navigate(first, { replace: true });
    else void navigate(LOST, { replace: true, state: { from: at.pathname } });
    setDrawer(false);
  }, [found, lost, first, at.pathname, at.search, navigate]);
  useEffect(() => {
    if (found) countOpening(found.path);
  }, [found]);
  useEffect(() => windowKept.set("tabs", tabs), [tabs]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setJump((open) => !open);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const goTab = (path: string) => {
    const tab = tabs.open.find((t) => t.path === path);
    if (tab) void navigate(tab.path + tab.search);
  };
  const closeTabs = async (path: string, how: Closing) => {
    const closed = closingOf(tabs, path, how);
    if (typeof closed === "string") return toast(closed, "info");
    const dirty = dirtyPaths();
    if (closed.some((p) => dirty.has(p)) && !(await confirmLeave())) return;
    const next = close(tabs, closed);
    setTabs(next);
    const now = next.open.find((t) => t.path === next.active);
    if (now && next.active !== tabs.active) void navigate(now.path + now.search);
  };
  const refreshTab = async (path: string) => {
    if (dirtyPaths().has(path) && !(await confirmLeave())) return;
    setVersions((v) => ({ ...v, [path]: (v[path] ?? 0) + 1 }));
  };
  const fold = () => {
    setFolded(!folded);
    keep("folded", !folded);
  };
  // a page that needs no function is no work: an operator without any other is told whom to ask
  if (!menu.length && !house.screens.some((s) => s.codes.length > 0 && mayOpen(s))) {
    return (
      <section className="lost">
        <h1>您还没有任何菜单权限，请联系管理员</h1>
        <Button look="main" run={askLeave}>
          退出登录
        </Button>
      </section>
    );
  }
  const lit = litPath(house, at.pathname);
  const topped = layout !== "side" && !phone;
  // mixed: above the parents, at the side the pages of the one that is open
  const beside =
    topped && layout === "mixed"
      ? (menu.find((m) => m.children.some((c) => c.path === lit))?.children ?? [])
      : menu;
  const sided = !topped || (layout === "mixed" && beside.length > 0);
  const looks = [
    folded && "app--folded",
    drawer && "app--drawer",
    !tabbed && "app--untabbed",
    topped && "app--topmenu",
    !sided && "app--sideless",
  ];
  return (
    <div className={["app", ...looks].filter(Boolean).join(" ")}>
      <button type="button" className="skip" onClick={toBody}>
        跳到正文
      </button>
      {sided && <Side menu={beside} lit={lit} folded={folded} onClose={() => setDrawer(false)} />}
      <div className="main">
        <Header
          house={house}
          operator={operator}
          path={at.pathname}
          folded={folded}
          onFold={fold}
          onDrawer={() => setDrawer(true)}
          onJump={() => setJump(true)}
        />
        {topped && <TopMenu menu={menu} lit={lit} parentsOnly={layout === "mixed"} />}
        {tabbed ? (
          <TabBar
            tabs={tabs}
            home={reach(HOME) !== undefined}
            lit={lost ? "" : tabs.active}
            onGo={goTab}
            onClose={closeTabs}
            onRefresh={refreshTab}
          />
        ) : (
          <span />
        )}
        {lost ? (
          <main className="body" tabIndex={-1}>
            <Lost signedIn>
              <Slot name="shell.lost" />
            </Lost>
          </main>
        ) : null}
        <Pages house={house} tabs={tabs} versions={versions} shown={lost ? "" : tabs.active} />
      </div>
      <Slot name="shell.overlay" />
      {jump && <Jump house={house} onClose={() => setJump(false)} />}
    </div>
  );
}

/** Past menu, header and tabs, for who works by the keyboard: into the page that is shown. */
const toBody = () =>
  [...document.querySelectorAll<HTMLElement>("main.body")].find((main) => main.checkVisibility())?.focus();

/** What others put there: over every page the version drawer, on /404 why, and alone what must be done before anything else. */
export function Slot({ name }: { name: "shell.overlay" | "shell.lost" | "shell.first" }) {
  return useSlot(name).map((panel) => {
    const View = panelOf(panel);
    return (
      <Fence key={panel.key} broken={() => null}>
        <Suspense>
          <View id={0} />
        </Suspense>
      </Fence>
    );
  });
}

/** The tabs of before the reload, without those that are gone or no longer permitted. */
function restored(house: House): Tabs {
  const before = windowKept.get<Tabs>("tabs") ?? NO_TABS;
  const open = before.open.filter((t) => {
    const screen = screenAt(house, t.path);
    return screen && mayOpen(screen);
  });
  return { open, active: "" };
}
