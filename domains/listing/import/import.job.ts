import { importJobs } from "../../system/import/serve.service.ts";
import { ROOMS } from "./import.service.ts";

export default importJobs(ROOMS);
