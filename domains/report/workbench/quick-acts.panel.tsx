import type { Need } from "../../../platform/kernel/call.ts";
import type { IconName } from "../../../platform/console/icons.tsx";
import { useOperator } from "../../../platform/console/operator.ts";
import { may } from "../../../platform/console/permits.ts";
import { reach } from "../../../platform/console/reach.ts";

export type QuickAct = { title: string; icon: IconName; to: string };

const ACTS: { title: string; icon: IconName; need?: Need; path: string; query?: Record<string, string> }[] = [
  {
    title: "新增门店",
    icon: "building",
    need: "6.add",
    path: "/configuration/village",
    query: { action: "1" },
  },
  {
    title: "新增预订",
    icon: "calendar",
    need: "15.add",
    path: "/configuration/BookingManagement",
    query: { action: "1" },
  },
  { title: "记一笔", icon: "edit", path: "/accountManage/addBillFlow" },
];

/** Only for who has a super type ('0' counts), and only what leads somewhere. */
export function useQuickActs(): QuickAct[] {
  const operator = useOperator();
  if (!operator?.superType) return [];
  return ACTS.flatMap(({ title, icon, need, path, query }) => {
    const to = may(need) ? reach(path, query) : undefined;
    return to ? [{ title, icon, to }] : [];
  });
}
