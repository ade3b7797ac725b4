import { useEffect, useMemo, useState } from "react";
import { Link } from "react-router";
import { useBrand } from "../brand/brand.ts";
import { Icon } from "../parts/icons.tsx";
import { preload } from "../screens/load.tsx";
import { Mark } from "../brand/logo.tsx";
import { finder, type Finder } from "../inputs/pinyin.ts";
import { screenAt, type MenuNode } from "../screens/screen.ts";
import { theHouse } from "../screens/slots.ts";
import { useBadges } from "./badges.ts";
import { useWords } from "./words.ts";

/** The chunk of a page comes while the pointer is on its way to the click. */
const warm = (path: string) => () => preload(screenAt(theHouse(), path));

type Props = { menu: readonly MenuNode[]; lit: string; folded: boolean; onClose: () => void };

export function Side({ menu, lit, folded, onClose }: Props) {
  const brand = useBrand();
  const word = useWords();
  const badges = useBadges();
  const current = menu.find((m) => m.children.some((c) => c.path === lit))?.path;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState("");
  const [find, setFind] = useState<Finder>();
  useEffect(() => {
    if (current) setOpen((before) => (before.has(current) ? before : new Set([current])));
  }, [current]);
  const shown = useMemo(() => {
    const wanted = text.trim();
    if (!wanted) return menu;
    const hit = (title: string) => (find ? find(title, wanted) : title.includes(wanted));
    return menu.flatMap((m) => {
      const children = hit(m.title) ? m.children : m.children.filter((c) => hit(c.title));
      return children.length || (!m.children.length && hit(m.title)) ? [{ ...m, children }] : [];
    });
  }, [menu, text, find]);
  const toggle = (path: string) => setOpen(new Set(open.has(path) ? [] : [path]));
  return (
    <>
      <div className="side__veil" onClick={onClose} />
      <nav className="side" aria-label="主菜单">
        <div className="side__brand row gap-5">
          <Mark size={22} />
          <span>{brand.productTitle}</span>
        </div>
        <label className="side__find row fs-13">
          <Icon name="search" size={14} />
          <input
            value={text}
            placeholder={word("findMenu")}
            aria-label={word("findMenu")}
            onFocus={() => void finder().then((f) => setFind(() => f))}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <div className="menu">
          {shown.map((node) =>
            node.children.length ? (
              <Branch
                key={node.path}
                node={node}
                badges={badges}
                lit={lit}
                folded={folded}
                open={open.has(node.path) || text.trim() !== ""}
                onToggle={() => toggle(node.path)}
              />
            ) : (
              <Link
                key={node.path}
                to={node.path}
                onPointerEnter={warm(node.path)}
                className={node.path === lit ? "on" : ""}
                title={node.title}
                aria-current={node.path === lit ? "page" : undefined}
              >
                <Icon name={node.icon ?? "file"} />
                <span>{node.title}</span>
              </Link>
            ),
          )}
          {!shown.length && <p className="menu__none">没有匹配的菜单</p>}
        </div>
      </nav>
    </>
  );
}

type BranchProps = {
  node: MenuNode;
  badges: Readonly<Record<string, number>>;
  lit: string;
  folded: boolean;
  open: boolean;
  onToggle: () => void;
};

/** A parent with its pages: below it, or as a flyout beside it when the menu is folded. */
function Branch({ node, badges, lit, folded, open, onToggle }: BranchProps) {
  const waits = node.children.reduce((sum, c) => sum + (badges[c.path] ?? 0), 0);
  const holds = node.children.some((c) => c.path === lit);
  return (
    <div className={`branch ${open ? "branch--open" : ""} ${holds ? "branch--holds" : ""}`}>
      <button
        type="button"
        aria-expanded={open}
        aria-haspopup={folded}
        onClick={onToggle}
        title={folded ? node.title : undefined}
      >
        <Icon name={node.icon ?? "file"} />
        <span>{node.title}</span>
        {!open && <Badge count={waits} />}
        <Icon name="down" size={12} />
      </button>
      <ul>
        {folded && <li className="branch__title">{node.title}</li>}
        {node.children.map((c) => (
          <li key={c.path}>
            {c.href ? (
              <a href={c.href} target="_blank" rel="noopener noreferrer" tabIndex={open || folded ? 0 : -1}>
                {c.title}
                <Icon name="open" size={12} label="在新窗口打开" />
              </a>
            ) : (
              <Link
                to={c.path}
                onPointerEnter={warm(c.path)}
                className={c.path === lit ? "on" : ""}
                aria-current={c.path === lit ? "page" : undefined}
                tabIndex={open || folded ? 0 : -1}
              >
                {c.title}
                <Badge count={badges[c.path] ?? 0} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How many wait there. */
const Badge = ({ count }: { count: number }) =>
  count > 0 && (
    <i className="menu__badge" aria-label={`${count} 条待处理`}>
      {count > 99 ? "99+" : count}
    </i>
  );
