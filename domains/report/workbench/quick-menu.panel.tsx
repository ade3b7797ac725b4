import { Dropdown } from "antd";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { useQuickActs } from "./quick-acts.panel.tsx";

/** 快捷操作 in the header, on every page. */
export default function QuickMenu() {
  const acts = useQuickActs();
  const go = useGo();
  if (!acts.length) return null;
  const menu = {
    items: acts.map((act) => ({ key: act.to, label: act.title, icon: <Icon name={act.icon} size={14} /> })),
    onClick: ({ key }: { key: string }) => go(key),
  };
  return (
    <Dropdown trigger={["click"]} menu={menu}>
      <button type="button" className="head__link fs-13 sub">
        <Icon name="plus" size={14} />
        快捷操作
      </button>
    </Dropdown>
  );
}
