import { pageIn, type Screen } from "../platform/console/screens/screen.ts";

const page = pageIn("top");

/** 工作台 and 数据看板. */
export const workbenchScreens: Screen[] = [
  {
    ...page("/workbench/WorkbenchPage", "工作台", [1]),
    icon: "home",
    load: () => import("../domains/report/workbench/workbench.page.tsx"),
  },
  {
    ...page("/workbench/overview2", "数据看板", [139], "看板 出租率 排行 投屏"),
    icon: "chart",
    load: () => import("../domains/report/overview/overview.page.tsx"),
  },
  {
    ...page("/overview/TargetConfig", "目标配置", [139], "目标 指标 预算"),
    icon: "target",
    load: () => import("../domains/report/target/targets.page.tsx"),
  },
];
