import { PAGE_FUNCTIONS } from "../function/pages.rules.ts";

/**
 * Pages that share the function of another page, beside those that have one of their own. With them every path that
 * the product has is known, also where its page is not built yet.
 */
const FURTHER: readonly (readonly [path: string, code: number, title: string])[] = [
  ["/workbench/overview2", 139, "数据看板"],
  ["/overview/TargetConfig", 139, "目标配置"],
  ["/configuration/ApartmentManage", 6, "房源列表"],
  ["/configuration/addPublicArea", 6, "公共区域"],
  ["/configuration/importRooms", 6, "批量导入房源"],
  ["/configuration/BatchAdjustPrice", 6, "批量调价"],
  ["/accountManage/BillListManageByVillage", 26, "账单管理（门店）"],
  ["/accountManage/RefundManageByVillage", 108, "退款管理（门店）"],
  ["/accountManage/RefundManageByVillage", 244, "退款管理（门店）"],
  ["/accountManage/addBillFlow", 102, "记一笔"],
  ["/accountManage/BudgetManage/VillageBudgetTable", 136, "门店预算"],
  ["/accountManage/BudgetManage/BudgetIndicatorDetailTable", 136, "预算指标明细"],
  ["/accountManage/BudgetManage/BudgetConfigPage", 136, "预算配置"],
  ["/accountManage/BudgetManage/BudgetIndicatorCompleteTable", 136, "指标完成情况"],
  ["/accountManage/BudgetManage/VillageBudgetCompleteTable", 136, "门店预算完成情况"],
  ["/accountManage/PostStateCost", 200, "成本过账"],
  ["/objectAssociation/roomList", 30, "房间列表"],
  ["/objectAssociation/roomDevice", 30, "房间设备"],
  ["/objectAssociation/deviceList", 30, "设备列表"],
  ["/objectAssociation/LockView", 30, "智能门锁"],
  ["/objectAssociation/TermGuardView", 30, "门禁"],
  ["/objectAssociation/ColdView", 30, "水表"],
  ["/objectAssociation/AmmeterView", 30, "电表"],
  ["/objectAssociation/GateWayView", 30, "网关"],
  ["/objectAssociation/CheckFaceView", 30, "人脸识别"],
  ["/report/TransferBalanceReportByVillage", 116, "结转余额报表（门店）"],
  ["/report/dailyCollectionReportByVillage", 99, "日收款报表（门店）"],
  ["/report/IncomeSummaryDetailPage", 118, "收入汇总明细"],
  ["/system/EleContractConfigHelp", 95, "电子合同配置帮助"],
  ["/system/CreateEnterprise", 95, "新建企业"],
  ["/system/EnterpriseAuth", 95, "企业认证"],
  ["/system/ConfigManagement", 252, "收款账户"],
  ["/service/SafetyInspectionDetail", 127, "巡检详情"],
  ["/service/OperatingBudgetPage/InputIncomePage", 238, "收入录入"],
  ["/service/OperatingBudgetPage/BudgetDetailTable", 238, "预算明细"],
  ["/service/OperatingBudgetPage/BudgetedPerformanceDetail", 238, "预算执行明细"],
  ["/service/OperatingBudgetPage/BudgetConfigPage", 238, "经营预算配置"],
];

export type KnownPath = {
  title: string;
  /** Any one of these functions opens it. */
  codes: readonly number[];
};

const CENTRE = "/system/ConfigManagement";
const known = new Map<string, { title: string; codes: number[] }>();
for (const [path, code, title] of [
  ...PAGE_FUNCTIONS.map(([code, , title, path]) => [path, code, title] as const),
  ...FURTHER,
]) {
  const one = known.get(path) ?? { title: path === CENTRE ? "配置中心" : title, codes: [] };
  one.codes.push(code);
  known.set(path, one);
}

/** Every path behind the login that needs a function, with its title and functions. */
export const KNOWN_PATHS: ReadonlyMap<string, KnownPath> = known;
