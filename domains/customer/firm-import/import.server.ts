import { serveImport } from "../../system/import/serve.service.ts";
import { companyImport, merchantImport } from "./import.contract.ts";
import { COMPANIES, MERCHANTS } from "./import.service.ts";

export default [...serveImport(companyImport, COMPANIES), ...serveImport(merchantImport, MERCHANTS)];
