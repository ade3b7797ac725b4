import { houseDic, houseDicImport } from "./dic.contract.ts";
import { Dictionary } from "./dictionary.panel.tsx";

/** The words of houses, by their groups. */
export default function HouseWordsPanel() {
  return <Dictionary calls={houseDic} imported={houseDicImport} />;
}
