import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { admit } from "../contract/contract.queries.ts";
import {
  companyContractRooms,
  exportCompanyContracts,
  exportMerchantContracts,
} from "./firm-list.contract.ts";
import { companyContracts, merchantContracts, roomsOf } from "./firm-list.queries.ts";

export default [
  serveList(companyContracts),
  exportList(exportCompanyContracts),
  serveRead(companyContractRooms, async (read, { params: { id } }) => {
    await admit(read, id, companyContractRooms);
    return roomsOf(read, id);
  }),
  serveList(merchantContracts),
  exportList(exportMerchantContracts),
];
