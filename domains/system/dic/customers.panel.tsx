import { Dictionary } from "./dictionary.panel.tsx";
import { customerDic } from "./dic.contract.ts";

/** 客户字典 in 配置中心. */
export default function CustomersPanel() {
  return <Dictionary calls={customerDic} />;
}
