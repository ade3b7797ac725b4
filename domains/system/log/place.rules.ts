type Place = readonly [path: string, query: Record<string, string | number>];

const opens =
  (path: string, key = "id") =>
  (id: number): Place => [path, { [key]: id }];

/**
 * Where a record of a kind is opened. A page that a deployment or an operator does not have leads nowhere: whoever
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
  contract: opens("/contract/RenterContractPage"),
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
  invoice: opens("/accountManage/InvoiceManage"),
  settlement: opens("/contract/SettleRoomApplicationPage"),
  repair: opens("/service/RepairServiceManage"),
  suggestion: opens("/service/SuggestionsManage"),
  cleaning: opens("/valueAdded/Cleaning"),
  alarm: opens("/report2/AlarmPage"),
};

export const placeOf = (kind: string | null, id: number | null): Place | undefined =>
  kind && id ? PLACES[kind]?.(id) : undefined;
