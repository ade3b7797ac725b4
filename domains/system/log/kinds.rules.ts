import type { Permit } from "../../../platform/kernel/call.ts";

/** What records are called in the logs, and who besides the readers of the logs may see what happened to one of them. */
type RecordKind = readonly [title: string, ...needs: Permit[]];

const KINDS: Record<string, RecordKind> = {
  // access and system
  message: ["消息", "68.get"],
  announcement: ["公告", "68.get"],
  versionNote: ["版本说明", "253.query"],
  watermark: ["水印配置", "256.query"],
  indicatorTarget: ["目标", "139.query"],
  budget: ["预算", "136.get"],
  budgetIndicator: ["预算指标", "136.get"],
  budgetNote: ["预算说明", "136.query"],
  budgetImport: ["预算导入", "136.import"],
  indicatorRole: ["角色指标", "138.query"],
  indicatorRule: ["指标规则", "138.query"],
  messageTemplate: ["消息模板", "251.query"],
  reminderRule: ["提醒规则", "251.query"],
  operator: ["员工", "46.get"],
  role: ["角色", "46.get"],
  department: ["部门", "46.get"],
  enterprise: ["企业主体", "95.get"],
  session: ["登录会话", "46.get"],
  function: ["功能", "56.get"],
  registerApplication: ["注册申请", "46.get"],
  file: ["文件", "68.get"],
  download: ["导出任务", "257.query"],
  setting: ["平台配置", "94.get"],
  // listing
  district: ["区域", "6.get"],
  village: ["门店", "6.get"],
  building: ["楼栋", "6.get", "3.get"],
  unit: ["单元", "6.get", "3.get"],
  floor: ["楼层", "6.get", "3.get"],
  apartment: ["房源", "3.get"],
  room: ["房间", "3.get"],
  roomBlock: ["封房", "3.get"],
  roomImport: ["房源导入", "6.import"],
  publicArea: ["公共区域", "6.get"],
  dicItem: ["字典项", "58.query", "111.query", "124.query"],
  dicImport: ["字典导入", "58.import"],
  roomAsset: ["资产", "6.get"],
  feeSubject: ["费用字典", "109.query"],
  assetDic: ["资产字典", "117.query", "117.get"],
  product: ["产品", "4.get"],
  priceChange: ["调价单", "6.get", "4.get"],
  channel: ["发布渠道", "67.get"],
  listing: ["发布房源", "67.get"],
  // customers
  renter: ["租客", "16.get"],
  renterImport: ["租客导入", "16.import"],
  merchant: ["商户", "106.get"],
  company: ["企业客户", "113.get"],
  firmImport: ["企业商户导入", "113.import", "106.import"],
  lead: ["客源", "15.get"],
  pushTask: ["信息推送", "18.get"],
  reservation: ["预订", "15.get"],
  leadImport: ["客源导入", "15.import"],
  viewing: ["看房预约", "15.get"],
  agent: ["经纪人", "115.get"],
  agency: ["中介机构", "115.get"],
  agentImport: ["经纪人导入", "115.import"],
  commissionRule: ["佣金规则", "115.get", "115.query"],
  commission: ["佣金", "115.get", "115.query"],
  // contracts
  contract: ["合同", "9.get", "11.get", "107.get"],
  contractImport: ["在租合同导入", "9.import"],
  contractConfig: ["合同配置", "95.get"],
  lessor: ["出租企业", "95.get"],
  seal: ["印章", "95.get"],
  template: ["合同模板", "10.get"],
  activity: ["优惠活动", "13.get"],
  salesStatement: ["营业额申报", "107.get"],
  settlement: ["退房结算", "72.get", "9.get", "11.get", "107.get"],
  renewal: ["续租申请", "73.get", "9.get", "11.get", "107.get"],
  leaseApplication: ["租赁申请", "236.get"],
  archive: ["合同归档", "226.get"],
  // finance
  bill: ["账单", "26.get"],
  billImport: ["账单导入", "#2605"],
  flow: ["流水", "102.get"],
  refund: ["退款", "108.get", "244.get"],
  refundImport: ["退款单导入", "#10801"],
  invoice: ["发票", "28.get"],
  einvoice: ["电子发票配置", "101.get"],
  statement: ["对账", "25.get", "97.get"],
  statementTemplate: ["银行模板", "25.get", "97.get"],
  reconcile: ["对账差异", "25.get"],
  bankLine: ["对公流水", "97.get"],
  claim: ["对公认领", "97.get"],
  submission: ["缴款", "112.get"],
  cashShift: ["交接班", "102.get"],
  thirdParty: ["合作方", "252.get"],
  thirdPartyIncome: ["第三方收入", "252.get"],
  thirdPartyImport: ["第三方收入导入", "252.import"],
  posting: ["过账", "200.get"],
  lateFee: ["滞纳金", "26.get"],
  account: ["收款账户", "252.get", "252.query"],
  billingSetting: ["账务设置", "252.query"],
  month: ["会计期间", "200.get"],
  // devices and service
  device: ["设备", "30.get"],
  reading: ["抄表", "31.get"],
  repair: ["报修", "54.get"],
  cleaning: ["保洁", "122.get"],
  suggestion: ["投诉建议", "104.get"],
  h5Page: ["H5 页面", "98.get"],
  approval: ["审批", "49.get"],
  module: ["审批配置", "49.get", "49.query"],
};

export const kindTitle = (kind: string): string => KINDS[kind]?.[0] ?? kind;
export const KIND_WORDS: Record<string, readonly [string, "grey"]> = Object.fromEntries(
  Object.entries(KINDS).map(([kind, [title]]) => [kind, [title, "grey"]]),
);
export const KIND_TITLES = Object.entries(KINDS).map(([kind, [title]]) => ({ kind, title }));

/** Permits of which any one opens the timeline of a record; 130 reads every one. */
export const kindNeeds = (kind: string): Permit[] => {
  const [, ...needs] = KINDS[kind] ?? [""];
  return ["130.query", "130.get", ...needs];
};
