import { useQuery } from "@tanstack/react-query";
import { Switch } from "antd";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Help } from "../../../platform/console/detail/facts.tsx";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { dirtyPaths, useAddress, usePage, useUnsaved } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { shownValue, type Code } from "./figure.rules.ts";
import {
  indicatorRoles,
  indicatorRules,
  resetRoleIndicators,
  setIndicatorRule,
  setRoleIndicators,
} from "./indicator.contract.ts";
import {
  GROUPS,
  PLACES,
  SHOWN_CODES,
  groupOf,
  named,
  placesOf,
  type Group,
  type ShownCode,
} from "./indicator.rules.ts";
import "../lock/report.css";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";

const RuleForm = ({ rule, onClose }: { rule: Reply<typeof indicatorRules>[number]; onClose: () => void }) => (
  <FormDialog
    call={setIndicatorRule}
    title={`${rule.title}的规则`}
    done="规则已保存"
    initial={rule}
    fields={[
      { key: "better", help: "越小越好的指标，低于目标即为完成" },
      { key: "greenFrom", help: "实际达到目标的百分比" },
      { key: "amberFrom", help: "低于此为红色" },
      {
        key: "defaultTarget",
        help: "门店某月没有单独设置目标时使用，留空为没有目标",
        input: ({ value, onChange, ...p }) => {
          // nothing typed takes the target away
          const put = (next: number | undefined) => onChange((next ?? null) as number);
          const shared = { ...p, value: value ?? undefined, onChange: put };
          return rule.kind === "rate" ? (
            <NumberInput {...shared} unit="%" scale={100} />
          ) : (
            <MoneyInput {...shared} />
          );
        },
      },
      { key: "weight", help: "0 到 100，在门店排行“目标完成”中的权重，0 表示不计入" },
    ]}
    onClose={onClose}
  />
);

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

/** The roles at the left; what the chosen one sees at the right. */
function RolesPart() {
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

type Role = Reply<typeof indicatorRoles>[number];

/** What a role sees: a switch for each figure by its group, and the order of those that are on. */
function RoleIndicators({ role }: { role: Role }) {
  const act = useAct();
  const [codes, setCodes] = useState<readonly ShownCode[]>(role.codes);
  const writes = may(setRoleIndicators.needs);
  const dirty = codes.join() !== role.codes.join();
  useUnsaved(dirty);
  const turn = (code: ShownCode, on: boolean) =>
    setCodes(on ? [...codes, code] : codes.filter((other) => other !== code));
  return (
    <section className="card ind__role" aria-label={`${role.name}的指标`}>
      <div className="card__h">
        <h2>{role.name}</h2>
        <span className="bench__note">
          {role.people} 人 ·{" "}
          {role.updatedAt
            ? `${role.byName ?? "系统"} ${timeInZone(role.updatedAt).slice(0, 16)} 修改`
            : "未设置，使用默认指标"}
        </span>
        <span className="grow" />
        {writes && (
          <>
            <Button
              look="text"
              why={role.version ? undefined : "已是默认指标"}
              run={() =>
                act(
                  resetRoleIndicators,
                  { params: { id: role.roleId }, query: { version: role.version } },
                  {
                    done: "已恢复默认",
                    ask: { title: "恢复默认", body: `${role.name} 将看到默认的全部指标，确定吗？` },
                  },
                )
              }
            >
              恢复默认
            </Button>
            <Button
              look="main"
              why={!dirty ? "没有修改" : codes.length ? undefined : "请至少选择一项指标"}
              run={() =>
                act(
                  setRoleIndicators,
                  { body: { roleId: role.roleId, codes: [...codes], version: role.version } },
                  { done: "角色指标已保存" },
                )
              }
            >
              保存
            </Button>
          </>
        )}
      </div>
      <div className="ind__choice grid fs-13">
        <div>
          {(Object.keys(GROUPS) as Group[]).map((group) => (
            <fieldset key={group} className="ind__group">
              <legend>{GROUPS[group]}</legend>
              {SHOWN_CODES.filter((code) => groupOf(code) === group).map((code) => {
                const { title, formula } = named(code);
                return (
                  <div key={code} className="ind__one row gap-5">
                    <Switch
                      size="small"
                      aria-label={title}
                      disabled={!writes}
                      checked={codes.includes(code)}
                      onChange={(on) => turn(code, on)}
                    />
                    <span>
                      {title}
                      <Help text={formula} />
                    </span>
                    <small>
                      {placesOf(code)
                        .map((place) => PLACES[place])
                        .join("、")}
                    </small>
                  </div>
                );
              })}
            </fieldset>
          ))}
        </div>
        <div>
          <h3 className="ind__h">显示顺序</h3>
          <Ordered
            label="显示顺序"
            disabled={!writes}
            items={codes.map((code) => ({ key: code, title: named(code).title }))}
            onChange={setCodes}
          />
          {!codes.length && <p className="dim">还没有选择指标</p>}
          <p className="dim">
            员工有多个角色时，看到的是各角色指标的合集；关闭的指标看不到，也不能查询和导出
          </p>
        </div>
      </div>
    </section>
  );
}

function RulesPart() {
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
