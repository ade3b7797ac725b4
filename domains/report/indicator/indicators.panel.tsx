import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { dirtyPaths, useAddress, usePage } from "../../../platform/console/screens/page.ts";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { RolesPart } from "./roles.panel.tsx";
import { RulesPart } from "./rules.panel.tsx";
import "../lock/report.css";

const PARTS = [
  { key: "roles", title: "角色指标" },
  { key: "rules", title: "规则" },
];

/** 指标与规则 in 配置中心: which figures a role sees, and how a figure is judged. */
export default function IndicatorsPanel() {
  const [address, set] = useAddress();
  const { path } = usePage();
  const on = address.get("part") === "rules" ? "rules" : "roles";
  const turn = async (part: string) => {
    if (dirtyPaths().has(path) && !(await confirmLeave())) return;
    set({ part: part === "roles" ? undefined : part, role: undefined });
  };
  return (
    <div className="ind grid gap-6">
      <Underline small label="指标与规则" items={PARTS} on={on} onChange={(part) => void turn(part)} />
      {on === "rules" ? <RulesPart /> : <RolesPart />}
    </div>
  );
}
