import { customerDic } from "../../system/dic/dictionaries.contract.ts";
import { dicServer } from "../../system/dic/serve.service.ts";
import { customerUses } from "./customer.queries.ts";

export default dicServer(customerDic, customerUses);
