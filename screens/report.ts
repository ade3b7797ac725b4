import type { Screen } from "../platform/console/screens/screen.ts";

/** 财务报表, 运营报表, 物联报表 and 资产报表. */
export const reportScreens: Screen[] = [
  {
    path: "/report/owingReport",
    title: "欠费报表",
    codes: [114],
    kind: "page",
    menu: "/report",
    words: "账龄 催收 应收",
    load: () => import("../domains/report/owing/owings.page.tsx"),
  },
  {
    path: "/report/dailyCollectionReport",
    title: "日收款报表",
    codes: [99],
    kind: "page",
    menu: "/report",
    words: "收款日报 实收",
    load: () => import("../domains/report/collection/collections.page.tsx"),
  },
];
