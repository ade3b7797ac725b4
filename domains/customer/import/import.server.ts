import { serveImport } from "../../system/import/serve.service.ts";
import { renterImport } from "./import.contract.ts";
import { RENTERS } from "./import.service.ts";

export default serveImport(renterImport, RENTERS);
