import { Dropdown } from "antd";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reachable } from "../../../platform/console/screens/screen-link.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Need } from "../../../platform/kernel/call.ts";

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

export type QuickAct = { title: string; icon: IconName; to: string };

type Start = { title: string; icon: IconName; need?: Need; path: string };

/** Of the header, for who has a super type. */
const ACTS: Start[] = [
  { title: "新增门店", icon: "building", need: "6.add", path: "/configuration/village?action=1" },
  { title: "新增预订", icon: "calendar", need: "15.add", path: "/configuration/BookingManagement?action=1" },
  { title: "记一笔", icon: "edit", path: "/accountManage/addBillFlow" },
];

/** What the days of those who work with customers and with money begin with. */
const WORK: Start[] = [
  { title: "新增客源", icon: "users", need: "15.add", path: "/configuration/BookingManagement?action=1" },
  { title: "新签合同", icon: "file", need: "9.add", path: "/contract/RenterContractPage?draft=new" },
  { title: "收款", icon: "wallet", need: "102.add", path: "/accountManage/addBillFlow" },
];

const leading = (starts: readonly Start[]): QuickAct[] =>
  starts.flatMap(({ title, icon, need, path }) => {
    const to = may(need) ? reachable(path) : undefined;
    return to ? [{ title, icon, to }] : [];
  });

/** What this person begins with most days, on the workbench. */
export function useDailyActs(): QuickAct[] {
  const quick = useQuickActs();
  return quick.length ? quick : leading(WORK);
}

/** Only for who has a super type ('0' counts), and only what leads somewhere. */
export function useQuickActs(): QuickAct[] {
  const operator = useOperator();
  if (!operator?.superType) return [];
  return leading(ACTS);
}
