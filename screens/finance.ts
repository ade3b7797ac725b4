import type { Screen } from "../platform/console/screens/screen.ts";

/** 财务管理. */
export const financeScreens: Screen[] = [
  {
    path: "/accountManage/AccountFlowPatch",
    title: "收支流水",
    codes: [102],
    kind: "page",
    menu: "/accountManage",
    load: () => import("../domains/finance/flow/flows.page.tsx"),
  },
  {
    path: "/accountManage/BillListManage",
    title: "账单管理",
    codes: [26],
    kind: "page",
    menu: "/accountManage",
    load: () => import("../domains/finance/bill-list/bills.page.tsx"),
  },
  {
    path: "/accountManage/RefundManage",
    title: "退款管理",
    codes: [108, 244],
    kind: "page",
    menu: "/accountManage",
    words: "退款 退押金 退定金 退预存款 付款",
    load: () => import("../domains/finance/refund/refunds.page.tsx"),
  },
  {
    path: "/accountManage/RefundManageByVillage",
    title: "退款管理（门店）",
    codes: [108, 244],
    kind: "page",
    menu: "/accountManage",
    load: () => import("../domains/finance/refund/refunds-by-village.page.tsx"),
  },
  {
    path: "/accountManage/addBillFlow",
    title: "记一笔",
    codes: [102],
    kind: "page",
    menu: "/accountManage",
    words: "收款 记账 收银 支出 登记收入",
    load: () => import("../domains/finance/counter/counter.page.tsx"),
  },
];
