import { importJobs } from "../../system/import/serve.service.ts";
import { OPENING } from "./import.service.ts";

export default importJobs(OPENING);
