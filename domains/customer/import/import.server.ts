import { serveImport } from "../../system/import/serve.service.ts";
import { COMPANIES, MERCHANTS } from "./firms.service.ts";
import { companyImport, leadImport, merchantImport, renterImport } from "./import.contract.ts";
import { LEADS } from "./leads.service.ts";
import { RENTERS } from "./renters.service.ts";

export default [
  ...serveImport(renterImport, RENTERS),
  ...serveImport(companyImport, COMPANIES),
  ...serveImport(merchantImport, MERCHANTS),
  ...serveImport(leadImport, LEADS),
];
