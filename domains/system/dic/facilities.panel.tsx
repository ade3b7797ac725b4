import { Dictionary } from "./dictionary.panel.tsx";
import { facilityDic } from "./dic.contract.ts";

/** 设施字典 in 配置中心. */
export default function FacilitiesPanel() {
  return <Dictionary calls={facilityDic} />;
}
