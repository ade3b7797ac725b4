import { serveImport } from "../../system/import/serve.service.ts";
import { companyOpening, merchantOpening } from "../import/import.contract.ts";
import { COMPANY_OPENING, MERCHANT_OPENING } from "./kinds.service.ts";

export default [
  ...serveImport(companyOpening, COMPANY_OPENING),
  ...serveImport(merchantOpening, MERCHANT_OPENING),
];
