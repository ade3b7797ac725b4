export type Change = { field: string; before: string; after: string };

/** What fields of records are called; those of one record kind alone stand under its own words. */
const FIELDS: Record<string, string> = {
  name: "名称",
  state: "状态",
  status: "状态",
  amount: "金额",
  remark: "备注",
  reason: "原因",
  phone: "手机",
  address: "地址",
  villageIds: "门店",
  allVillages: "全部门店",
  superType: "类型",
  assignments: "部门和角色",
  managerId: "负责人",
  code: "编码",
  startDay: "开始日",
  endDay: "结束日",
  dueDay: "应收日",
  monthlyRent: "月租金",
  deposit: "押金",
  price: "价格",
  openingDay: "开业日",
  roomIds: "房间",
  tags: "标签",
};
/** Amounts in fen, by the end of their name. */
const FEN = /(amount|rent|deposit|price|fee|paid|balance|total)$/i;

function shown(key: string, value: unknown): string {
  if (value === undefined || value === null || value === "") return "—";
  if (typeof value === "boolean") return value ? "是" : "否";
  if (typeof value === "number" && FEN.test(key) && Number.isInteger(value))
    return `${(value / 100).toFixed(2)} 元`;
  if (Array.isArray(value) && value.every((v) => typeof v !== "object")) return value.join("、");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  value && typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : value === undefined || value === null
      ? {}
      : { 内容: value };

/** The fields that differ between two states of a record, in words. A new record has no before, a removed one no after. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) => {
    const [a, b] = [shown(key, old[key]), shown(key, now[key])];
    return a === b ? [] : [{ field: FIELDS[key] ?? key, before: a, after: b }];
  });
}

type Place = readonly [path: string, query: Record<string, string | number>];

const opens =
  (path: string, key = "id") =>
  (id: number): Place => [path, { [key]: id }];

/**
 * Where a record is opened, by the kind of its page (`record_page`). A page that a deployment or an operator does not have leads nowhere: whoever
 * makes a link of it asks the table of screens.
 */
const PLACES: Record<string, (id: number) => Place> = {
  announcement: opens("/workbench/WorkbenchPage", "announcement"),
  approval: (id) => ["/workbench/WorkbenchPage", { tab: "examine", examineId: id }],
  examine: (id) => ["/workbench/WorkbenchPage", { tab: "examine", examineId: id }],
  apartment: opens("/configuration/ApartmentManage"),
  bill: opens("/accountManage/BillListManage"),
  overdueBills: (villageId) => ["/accountManage/BillListManage", { tab: "overdue", villageIds: villageId }],
  downloadFailed: () => ["/system/BigFileDownloadManage", {}],
  flow: opens("/accountManage/AccountFlowPatch"),
  renterContract: opens("/contract/RenterContractPage"),
  companyContract: opens("/contract/CompanyContractPage"),
  merchantContract: opens("/contract/merchantContractTable"),
  renter: opens("/configuration/RenterManage"),
  merchant: opens("/configuration/MerchantManage"),
  company: opens("/configuration/CompanyManagement"),
  lead: opens("/configuration/BookingManagement"),
  viewing: (id) => ["/configuration/BookingManagement", { tab: "viewing", view: "list", id }],
  agent: opens("/configuration/AgentManagement"),
  agency: (id) => ["/configuration/AgentManagement", { tab: "agency", id }],
  commissionRule: (id) => ["/configuration/AgentManagement", { tab: "rule", id }],
  commission: (id) => ["/configuration/AgentManagement", { tab: "settle", id }],
  reminderRule: (id) => ["/system/ConfigManagement", { tab: "reminders", id }],
  reservation: (id) => ["/configuration/BookingManagement", { tab: "reservation", id }],
  room: opens("/configuration/apartment", "room"),
  village: opens("/configuration/village"),
  refund: opens("/accountManage/RefundManage"),
  bankLine: (id) => ["/accountManage/CorporateFlow", { tab: "all", id }],
  agedDifferences: (accountId) => [
    "/accountManage/accountCheck",
    { list: "items", merchantAccountId: accountId, open: "true" },
  ],
  unclaimedLines: (accountId) => ["/accountManage/CorporateFlow", { merchantAccountId: accountId }],
  ledgerCheck: () => ["/report/FinancePage", { list: "checks" }],
  account: (id) => ["/system/ConfigManagement", { tab: "accounts", id }],
  submission: (id) => ["/accountManage/SubmissionManage", { tab: "all", id }],
  submissionLate: (villageId) => [
    "/accountManage/SubmissionManage",
    { tab: "pending", villageIds: villageId },
  ],
  invoice: opens("/accountManage/InvoiceManage"),
  einvoice: opens("/system/EinvoiceConf"),
  settlement: opens("/contract/SettleRoomApplicationPage"),
  changeRoom: opens("/contract/ChangeRoomManage"),
  // of the contract that ends
  renewalDesk: opens("/contract/RenewalApplicationPage"),
  activity: opens("/contract/Activity"),
  leaseApplication: opens("/contract/LeaseApplication"),
  archive: opens("/contract/ArchiveManagePage"),
  template: opens("/system/TemplateManage"),
  lessor: opens("/system/EnterpriseAuth"),
  waitingSeal: () => ["/system/ContractManagement", { tab: "waiting" }],
  seal: (id) => ["/system/ContractManagement", { tab: "seals", id }],
  module: opens("/system/AuditModule"),
  priceChange: opens("/configuration/BatchAdjustPrice"),
  listing: (id) => ["/configuration/ApartmentSync", { tab: "listings", id }],
  pushTask: (id) => ["/configuration/MessageManagement", { tab: "tasks", id }],
  posting: (id) => ["/accountManage/PostState", { list: "list", id }],
  registerApplication: () => ["/system/AuthorityManagement", { tab: "applications" }],
  repair: opens("/service/RepairServiceManage"),
  suggestion: opens("/service/SuggestionsManage"),
  cleaning: opens("/valueAdded/Cleaning"),
  alarm: opens("/report2/AlarmPage"),
};

export const placeOf = (kind: string | null, id: number | null): Place | undefined =>
  kind && id ? PLACES[kind]?.(id) : undefined;
