import { Tabbed } from "./tabbed.panel.tsx";

/** 配置中心: dictionaries and rules that other screens use, a tab each. */
export default function ConfigPage() {
  return <Tabbed slot="config.tabs" label="配置项" />;
}
