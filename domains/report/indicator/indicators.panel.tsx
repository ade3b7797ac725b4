import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { dirtyPaths, useAddress, usePage } from "../../../platform/console/screens/page.ts";
import { RoleIndicators } from "./choice.panel.tsx";
import { indicatorRoles } from "./indicator.contract.ts";
import { RulesPart } from "./rules.panel.tsx";
import "../lock/report.css";

/** The roles at the left; what the chosen one sees at the right. */
export function RolesPart() {
  const [address, set] = useAddress();
  const { path } = usePage();
  const { data, error, refetch } = useQuery(ask(indicatorRoles));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  const on = data.find((role) => String(role.roleId) === address.get("role")) ?? data[0];
  if (!on) return <Empty text="还没有角色，请先在权限管理新增角色" />;
  const turn = async (role: number) => {
    if (role === on.roleId || (dirtyPaths().has(path) && !(await confirmLeave()))) return;
    set({ role: String(role) });
  };
  return (
    <div className="ind__cols grid gap-6">
      <section className="card ind__roles" aria-label="角色">
        {data.map((role) => (
          <button
            key={role.roleId}
            type="button"
            className={role === on ? "on" : ""}
            aria-current={role === on}
            onClick={() => void turn(role.roleId)}
          >
            <span className="cut">{role.name}</span>
            <small>{role.version ? `${role.codes.length} 项` : "默认"}</small>
          </button>
        ))}
      </section>
      <RoleIndicators key={`${on.roleId} ${on.version}`} role={on} />
    </div>
  );
}

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
