import { serveImport } from "../../system/import/serve.service.ts";
import { leadImport } from "./lead-import.contract.ts";
import { LEADS } from "./import.service.ts";

export default serveImport(leadImport, LEADS);
