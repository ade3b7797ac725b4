import { useVillages } from "../../../platform/console/inputs/source.ts";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { Bindings } from "./bindings.panel.tsx";
import "./account.css";

/** 收款账户 of one village, in its drawer. */
export default function VillageAccounts({ id }: PanelProps) {
  const { data } = useVillages();
  return <Bindings village={{ id, name: data?.find((v) => v.value === id)?.label ?? "门店" }} />;
}
