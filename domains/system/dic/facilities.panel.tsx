import { Dictionary } from "./dictionary.panel.tsx";
import { facilityDic } from "./dic.contract.ts";

export default function FacilitiesPanel() {
  return <Dictionary calls={facilityDic} />;
}
