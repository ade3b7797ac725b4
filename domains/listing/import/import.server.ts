import { serveImport } from "../../system/import/serve.service.ts";
import { roomImportCalls } from "./import.contract.ts";
import { ROOMS } from "./import.service.ts";

export default serveImport(roomImportCalls, ROOMS);
