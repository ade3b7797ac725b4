import { useState } from "react";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { shownValue } from "../target/target.rules.ts";
import { indicatorRules, setIndicatorRule } from "./indicator.contract.ts";
import { RuleForm } from "./rule.form.tsx";
import type { Code } from "../overview/overview.rules.ts";

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
