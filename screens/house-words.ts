import type { Panel } from "../platform/console/screens/screen.ts";

/** Tabs of 房源字典; facilities and assets are the same as in 配置中心. */
export const houseWords: readonly Panel[] = [
  {
    slot: "houseDic.tabs",
    key: "words",
    title: "选项",
    need: "58.query",
    load: () => import("../domains/system/dic/house.panel.tsx"),
  },
  {
    slot: "houseDic.tabs",
    key: "facilities",
    title: "设施",
    need: "124.query",
    load: () => import("../domains/system/dic/facilities.panel.tsx"),
  },
  {
    slot: "houseDic.tabs",
    key: "assets",
    title: "资产",
    need: "117.query",
    load: () => import("../domains/listing/asset/dic.panel.tsx"),
  },
];
