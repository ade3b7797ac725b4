import { serveImport } from "../../system/import/serve.service.ts";
import { openingImport } from "./import.contract.ts";
import { OPENING } from "./import.service.ts";

export default serveImport(openingImport, OPENING);
