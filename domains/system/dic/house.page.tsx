import { Dictionary } from "./dictionary.panel.tsx";
import { houseDic } from "./dictionaries.contract.ts";

/** 房源字典: the words that listing forms, imports, publishing and the board offer. */
export default function HouseDicPage() {
  return <Dictionary calls={houseDic} />;
}
