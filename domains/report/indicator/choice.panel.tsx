import { Switch } from "antd";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Help } from "../../../platform/console/detail/facts.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import { useUnsaved } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { resetRoleIndicators, setRoleIndicators, type indicatorRoles } from "./indicator.contract.ts";
import {
  groupOf,
  GROUPS,
  named,
  PLACES,
  placesOf,
  SHOWN_CODES,
  type Group,
  type ShownCode,
} from "./indicator.rules.ts";

type Role = Reply<typeof indicatorRoles>[number];

/** What a role sees: a switch for each figure by its group, and the order of those that are on. */
export function RoleIndicators({ role }: { role: Role }) {
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
