import { useQuery } from "@tanstack/react-query";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { dirtyPaths, useAddress, usePage } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { indicatorRoles } from "./indicator.contract.ts";
import { RoleIndicators } from "./choice.panel.tsx";

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
