import { houseDic, houseDicImport } from "./dic.contract.ts";
import { Dictionary } from "./dictionary.panel.tsx";

export default function HouseWordsPanel() {
  return <Dictionary calls={houseDic} imported={houseDicImport} />;
}
