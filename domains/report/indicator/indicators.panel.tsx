import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { dirtyPaths, useAddress, usePage } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Code } from "../overview/overview.rules.ts";
import { shownValue } from "../target/target.rules.ts";
import { RoleIndicators } from "./choice.panel.tsx";
import { indicatorRoles, indicatorRules, setIndicatorRule } from "./indicator.contract.ts";
import { RuleForm } from "./rule.form.tsx";
import "../lock/report.css";

/** How each figure that can have a target is judged. */
export function RulesPart() {
  const [open, setOpen] = useState<Code>();
  const { data, error, refetch } = useCurrent(ask(indicatorRules));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  const rule = data.find((r) => r.code === open);
  return (
    <>
      <section className="card ind__rules">
        <RowTable
          flat
          schema={indicatorRules.reply}
          rows={data}
          columns={[
            "title",
            "better",
            { key: "greenFrom", show: (r) => <StatusTag tone="green">≥ {r.greenFrom}%</StatusTag> },
            { key: "amberFrom", show: (r) => <StatusTag tone="gold">≥ {r.amberFrom}%</StatusTag> },
            {
              own: "red",
              title: "红色",
              right: true,
              show: (r) => <StatusTag tone="red">&lt; {r.amberFrom}%</StatusTag>,
            },
            {
              own: "target",
              title: "默认目标",
              right: true,
              show: (r) => shownValue(r.code, r.defaultTarget) || <span className="dim">未设置</span>,
            },
            "weight",
            ...(may(setIndicatorRule.needs)
              ? [
                  {
                    own: "act",
                    title: "操作",
                    show: (r: (typeof data)[number]) => (
                      <Button look="text" run={() => setOpen(r.code)}>
                        修改<span className="sr">{r.title}的规则</span>
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
        />
        <p className="dim ind__note">
          颜色按“实际 ÷
          目标”判断，越小越好的指标未超过目标即为完成；没有单独设置目标的门店和月份按默认目标计算。权重只影响门店排行的“目标完成”。
        </p>
      </section>
      {rule && <RuleForm rule={rule} onClose={() => setOpen(undefined)} />}
    </>
  );
}

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
