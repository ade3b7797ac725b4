import { Dropdown } from "antd";
import { Link, useNavigate } from "react-router";
import { Icon } from "../parts/icons.tsx";
import type { MenuNode } from "../screens/screen.ts";

type Props = {
  menu: readonly MenuNode[];
  lit: string;
  /** Mixed layout: a parent leads to its first page, and the side menu shows the others. */
  parentsOnly: boolean;
};

export function TopMenu({ menu, lit, parentsOnly }: Props) {
  const navigate = useNavigate();
  return (
    <nav className="topmenu" aria-label="主菜单">
      {menu.map((node) => {
        const on = node.path === lit || node.children.some((c) => c.path === lit);
        const label = (
          <>
            <Icon name={node.icon ?? "file"} size={14} />
            {node.title}
          </>
        );
        const first = node.children.find((c) => !c.href);
        if (!node.children.length || (parentsOnly && first))
          return (
            <Link
              key={node.path}
              to={first?.path ?? node.path}
              className={on ? "on" : ""}
              aria-current={on ? "page" : undefined}
            >
              {label}
            </Link>
          );
        return (
          <Dropdown
            key={node.path}
            trigger={["hover", "click"]}
            menu={{
              selectedKeys: [lit],
              items: node.children.map((c) => ({ key: c.path, label: c.title })),
              onClick: ({ key }) =>
                node.children.some((c) => c.href === key)
                  ? void window.open(key, "_blank", "noopener")
                  : void navigate(key),
            }}
          >
            <button type="button" className={on ? "on" : ""}>
              {label}
              <Icon name="down" size={12} />
            </button>
          </Dropdown>
        );
      })}
    </nav>
  );
}
