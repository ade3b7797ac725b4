import type { Screen } from "../platform/console/screens/screen.ts";

/** 合同管理. */
export const contractScreens: Screen[] = [
  {
    path: "/contract/RenterContractPage",
    title: "租客合同",
    codes: [9],
    kind: "page",
    menu: "/contract",
    load: () => import("../domains/contract/contract-list/contracts.page.tsx"),
  },
  {
    path: "/contract/CompanyContractPage",
    title: "企业合同",
    codes: [11],
    kind: "page",
    menu: "/contract",
    load: () => import("../domains/contract/firm/company-contracts.page.tsx"),
  },
  {
    path: "/contract/merchantContractTable",
    title: "商户合同",
    codes: [107],
    kind: "page",
    menu: "/contract",
    load: () => import("../domains/contract/firm/merchant-contracts.page.tsx"),
  },
];
