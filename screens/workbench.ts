import type { Screen } from "../platform/console/screens/screen.ts";

/** 工作台 and 数据看板. */
export const workbenchScreens: Screen[] = [
  {
    path: "/workbench/WorkbenchPage",
    title: "工作台",
    codes: [1],
    kind: "page",
    menu: "top",
    icon: "home",
    load: () => import("../domains/report/workbench/workbench.page.tsx"),
  },
  {
    path: "/workbench/overview2",
    title: "数据看板",
    codes: [139],
    kind: "page",
    menu: "top",
    icon: "chart",
    words: "看板 出租率 排行 投屏",
    load: () => import("../domains/report/overview/overview.page.tsx"),
  },
  {
    path: "/overview/TargetConfig",
    title: "目标配置",
    codes: [139],
    kind: "page",
    menu: "top",
    icon: "target",
    words: "目标 指标 预算",
    load: () => import("../domains/report/target/targets.page.tsx"),
  },
];
