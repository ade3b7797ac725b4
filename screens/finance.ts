import { pageIn, type Screen } from "../platform/console/screens/screen.ts";

const page = pageIn("/accountManage");

/** 财务管理. */
export const financeScreens: Screen[] = [
  {
    ...page("/accountManage/accountSummary", "账户汇总", [23], "账户余额 资金 银行余额 现金"),
    load: () => import("../domains/finance/summary/summary.page.tsx"),
  },
  {
    ...page("/accountManage/AccountFlowPatch", "收支流水", [102]),
    load: () => import("../domains/finance/flow-list/flows.page.tsx"),
  },
  {
    ...page("/accountManage/accountCheck", "对账管理", [25], "对账 对账单 微信账单 支付宝账单 银行流水"),
    load: () => import("../domains/finance/reconcile/reconcile.page.tsx"),
  },
  {
    ...page("/accountManage/CorporateFlow", "对公流水认领", [97], "对公转账 银行流水 认领 暂收款"),
    load: () => import("../domains/finance/corporate/corporate.page.tsx"),
  },
  {
    ...page("/accountManage/BillListManage", "账单管理", [26]),
    load: () => import("../domains/finance/bill-list/bills.page.tsx"),
  },
  {
    ...page("/accountManage/BillListManageByVillage", "账单管理（门店）", [26], "门店账单 收缴率 逾期"),
    load: () => import("../domains/finance/bill-list/bills-by-village.page.tsx"),
  },
  {
    ...page("/accountManage/InvoiceManage", "发票管理", [28], "发票 开票 红冲 数电票 专票 普票"),
    load: () => import("../domains/finance/invoice-list/invoices.page.tsx"),
  },
  {
    ...page("/accountManage/RefundManage", "退款管理", [108, 244], "退款 退押金 退定金 退预存款 付款"),
    load: () => import("../domains/finance/refund/refunds.page.tsx"),
  },
  {
    ...page("/accountManage/RefundManageByVillage", "退款管理（门店）", [108, 244]),
    load: () => import("../domains/finance/refund/refunds-by-village.page.tsx"),
  },
  {
    ...page("/accountManage/SubmissionManage", "缴款管理", [112], "缴款 现金 交款 存款 短款 长款"),
    load: () => import("../domains/finance/submission/submissions.page.tsx"),
  },
  {
    ...page("/accountManage/addBillFlow", "记一笔", [102], "收款 记账 收银 支出 登记收入"),
    load: () => import("../domains/finance/counter/counter.page.tsx"),
  },
  {
    ...page("/accountManage/BudgetManage", "预算管理", [136], "年度预算 预算编制 预算版本"),
    load: () => import("../domains/report/budget/budgets.page.tsx"),
  },
  {
    path: "/accountManage/BudgetManage/VillageBudgetTable",
    title: "门店预算",
    codes: [136],
    kind: "subpage",
    load: () => import("../domains/report/budget/village-budget.page.tsx"),
  },
  {
    path: "/accountManage/BudgetManage/BudgetIndicatorDetailTable",
    title: "预算指标明细",
    codes: [136],
    kind: "subpage",
    load: () => import("../domains/report/budget/indicator-detail.page.tsx"),
  },
  {
    path: "/accountManage/BudgetManage/BudgetConfigPage",
    title: "预算配置",
    codes: [136],
    kind: "subpage",
    load: () => import("../domains/report/budget-indicator/indicators.page.tsx"),
  },
  {
    path: "/accountManage/BudgetManage/BudgetIndicatorCompleteTable",
    title: "指标完成情况",
    codes: [136],
    kind: "subpage",
    load: () => import("../domains/report/budget-complete/indicator-complete.page.tsx"),
  },
  {
    path: "/accountManage/BudgetManage/VillageBudgetCompleteTable",
    title: "门店预算完成情况",
    codes: [136],
    kind: "subpage",
    load: () => import("../domains/report/budget-complete/village-complete.page.tsx"),
  },
  {
    ...page("/accountManage/PostState", "收入过账", [200], "过账 月结 锁账 凭证 计提 总账 金蝶 用友"),
    load: () => import("../domains/finance/posting/posting.page.tsx"),
  },
  {
    ...page("/accountManage/PostStateCost", "成本过账", [200], "过账 月结 锁账 凭证 成本 分摊"),
    load: () => import("../domains/finance/posting/posting-cost.page.tsx"),
  },
  {
    ...page(
      "/accountManage/ThirdPartIncomeSheet",
      "第三方收入表",
      [252],
      "第三方收入 合作方 停车 广告 自动售货 分成",
    ),
    load: () => import("../domains/finance/third-party/sheets.page.tsx"),
  },
];
