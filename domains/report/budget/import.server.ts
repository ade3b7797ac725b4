import { serveImport } from "../../system/import/serve.service.ts";
import { budgetImport } from "./import.contract.ts";
import { BUDGETS } from "./import.service.ts";

export default serveImport(budgetImport, BUDGETS);
