import { customerDic } from "../../system/dic/dic.contract.ts";
import { dicServer } from "../../system/dic/serve.service.ts";
import { customerUses } from "./customer.queries.ts";

export default dicServer(customerDic, customerUses);
