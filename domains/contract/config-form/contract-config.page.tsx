import { Tabbed } from "../../system/config/tabbed.panel.tsx";

/** 合同配置: lessors, seals, how contracts are signed and what they start from, a tab each. */
export default function ContractConfigPage() {
  return <Tabbed slot="contractConfig.tabs" label="合同配置" />;
}
