import { serveImport } from "../../system/import/serve.service.ts";
import { billImport } from "./import.contract.ts";
import { BILLS } from "./import.service.ts";

export default serveImport(billImport, BILLS);
