import { Dropdown } from "antd";
import { useEffect, useRef } from "react";
import { Icon } from "./icons.tsx";
import type { Closing, Tabs } from "./tabs.ts";

type Props = {
  tabs: Tabs;
  lit: string;
  onGo: (path: string) => void;
  onClose: (path: string, how: Closing) => void;
  onRefresh: (path: string) => void;
};

const ITEMS = [
  { key: "self", label: "关闭当前" },
  { key: "right", label: "关闭右侧" },
  { key: "left", label: "关闭左侧" },
  { key: "others", label: "关闭其他" },
  { type: "divider" as const },
  { key: "refresh", label: "刷新" },
];

export function TabBar({ tabs, lit, onGo, onClose, onRefresh }: Props) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    bar.current?.querySelector(".tab.on")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [lit]);
  const menuOf = (path: string) => ({
    items: ITEMS,
    onClick: ({ key }: { key: string }) =>
      key === "refresh" ? onRefresh(path) : onClose(path, key as Closing),
  });
  return (
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
  );
}
