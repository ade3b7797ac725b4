import { serveImport } from "../../system/import/serve.service.ts";
import { agentImport } from "./import.contract.ts";
import { AGENTS } from "./import.service.ts";

export default serveImport(agentImport, AGENTS);
