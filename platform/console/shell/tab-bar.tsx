import { Dropdown } from "antd";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { HOME } from "../session/guard.ts";
import { Icon } from "../parts/icons.tsx";
import type { Closing, Tabs } from "./tabs.ts";
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

export function TabBar({ tabs, home, lit, onGo, onClose, onRefresh }: Props) {
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
