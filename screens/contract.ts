import { pageIn, type Screen } from "../platform/console/screens/screen.ts";

const page = pageIn("/contract");

/** 合同管理. */
export const contractScreens: Screen[] = [
  {
    ...page("/contract/RenterContractPage", "租客合同", [9]),
    load: () => import("../domains/contract/contract-list/contracts.page.tsx"),
  },
  {
    ...page("/contract/CompanyContractPage", "企业合同", [11]),
    load: () => import("../domains/contract/firm/company-contracts.page.tsx"),
  },
  {
    ...page("/contract/Activity", "优惠活动", [13]),
    load: () => import("../domains/contract/activity-list/activities.page.tsx"),
  },
  {
    ...page("/contract/SettleRoomApplicationPage", "退房申请", [72], "退租 结算 押金"),
    load: () => import("../domains/contract/settlement-list/settlements.page.tsx"),
  },
  {
    ...page("/contract/ChangeRoomManage", "换房管理", [96], "转租 换房间 补充协议"),
    load: () => import("../domains/contract/moving/changes.page.tsx"),
  },
  {
    ...page("/contract/RenewalApplicationPage", "续租申请", [73], "到期 续签"),
    load: () => import("../domains/contract/renewal/renewals.page.tsx"),
  },
  {
    ...page("/contract/merchantContractTable", "商户合同", [107]),
    load: () => import("../domains/contract/firm/merchant-contracts.page.tsx"),
  },
  {
    ...page("/contract/ArchiveManagePage", "归档管理", [226]),
    load: () => import("../domains/contract/archive/archives.page.tsx"),
  },
  {
    ...page("/contract/LeaseApplication", "租赁申请", [236]),
    load: () => import("../domains/contract/application-list/applications.page.tsx"),
  },
];
