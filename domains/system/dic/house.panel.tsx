import { houseDicImport } from "../dic-import/dic-import.contract.ts";
import { Dictionary } from "./dictionary.panel.tsx";
import { houseDic } from "./dic.contract.ts";

/** The words of houses, by their groups. */
export default function HouseWordsPanel() {
  return <Dictionary calls={houseDic} imported={houseDicImport} />;
}
