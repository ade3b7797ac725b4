import type { Screen } from "../platform/console/screen.ts";

/** 合同管理. */
export const contractScreens: Screen[] = [
  {
    path: "/contract/RenterContractPage",
    title: "租客合同",
    codes: [9],
    kind: "page",
    menu: "/contract",
    load: () => import("../domains/contract/contract/contracts.page.tsx"),
  },
];
