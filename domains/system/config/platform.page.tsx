import { Tabbed } from "./tabbed.panel.tsx";

/** 平台配置: the deployment's own settings and what leaves it, a tab each. */
export default function PlatformPage() {
  return <Tabbed slot="platform.tabs" label="平台配置项" />;
}
