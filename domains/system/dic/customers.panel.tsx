import { Dictionary } from "./dictionary.panel.tsx";
import { customerDic } from "./dic.contract.ts";

export default function CustomersPanel() {
  return <Dictionary calls={customerDic} />;
}
