import { pageIn, type Screen } from "../platform/console/screens/screen.ts";

const page = pageIn("/report");

/** 财务报表, 运营报表, 物联报表 and 资产报表. */
export const reportScreens: Screen[] = [
  {
    ...page("/report/FinancePage", "财务报表", [65], "资金 余额 凭证 勾稽 试算平衡"),
    load: () => import("../domains/report/books/books.page.tsx"),
  },
  {
    ...page("/report/owingReport", "欠费报表", [114], "账龄 催收 应收"),
    load: () => import("../domains/report/owing/owings.page.tsx"),
  },
  {
    ...page("/report/dailyCollectionReport", "日收款报表", [99], "收款日报 实收"),
    load: () => import("../domains/report/collection/collections.page.tsx"),
  },
];
