import { importJobs } from "../../system/import/serve.service.ts";
import { COMPANY_OPENING, MERCHANT_OPENING } from "./kinds.service.ts";

export default [...importJobs(COMPANY_OPENING), ...importJobs(MERCHANT_OPENING)];
