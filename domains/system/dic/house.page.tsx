import { Tabbed } from "../config/tabbed.panel.tsx";

/** 房源字典: the words that listing forms, imports, publishing and the board offer; facilities and assets beside them. */
export default function HouseDicPage() {
  return <Tabbed slot="houseDic.tabs" label="房源字典" />;
}
