import { useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { blockedBy } from "./preview.panel.tsx";
import { riseText } from "./renew.form.tsx";
import {
  type RenewalRow,
  batchRule,
  handInRenewal,
  listRenewals,
  weighRenewals,
} from "./renewal.contract.ts";
import { endOfTerm } from "./renewal.rules.ts";

type Weighed = Reply<typeof weighRenewals>["rows"][number];
type Line = RenewalRow & { weighed: Weighed; ticked: boolean; done?: string; refusal?: string };
const AT_ONCE = 10;

const whyNot = ({ weighed, kind }: Line) =>
  weighed.refusal ?? (weighed.preview ? blockedBy(weighed.preview, kind) : undefined);
const rentOf = ({ weighed }: Line) => weighed.rents.reduce((fen, r) => fen + r.monthlyRent, 0);

/** What the table was worked out by: another rule asks for another look. */
const keyOf = ({ months, way, value, rounding, deposit }: Record<string, unknown>) =>
  JSON.stringify([months, way, way === "list" ? null : value || "0", rounding, deposit]);

/** 批量续租: one rule for many leases; each is shown with what it comes to, ticked, and handed in by itself. */
export function BatchDrawer({ of, onClose }: { of: readonly RenewalRow[]; onClose: () => void }) {
  const refresh = useRefresh();
  const form = useForm(batchRule, {
    months: 12,
    way: "percent",
    value: "0",
    rounding: "yuan",
    deposit: "carry",
  });
  const [lines, setLines] = useState<readonly Line[]>();
  const [progress, setProgress] = useState<{ now: number; of: number }>();
  const [ran, setRan] = useState(false);
  const [weighedBy, setWeighedBy] = useState<string>();

  const askOf = (row: RenewalRow, rule: ReturnType<typeof batchRule.parse>) => ({
    contractId: row.id,
    end: endOfTerm(addDays(row.endDate, 1), rule.months),
    deposit: rule.deposit,
    credit: "carry" as const,
    arrearsReason: "",
    reason: rule.reason,
  });
  const weigh = () =>
    form.submit(async (body) => {
      const rule = batchRule.parse(body);
      const { way, value, rounding } = rule;
      const found: Line[] = [];
      for (let i = 0; i < of.length; i += AT_ONCE) {
        setProgress({ now: i, of: of.length });
        const part = of.slice(i, i + AT_ONCE);
        const rows = part.map((row) => ({ ...askOf(row, rule), rents: [], rise: { way, value, rounding } }));
        const reply = await send(weighRenewals, { body: { rows } });
        for (const [n, row] of part.entries()) {
          const line: Line = { ...row, weighed: reply.rows[n]!, ticked: false };
          found.push({ ...line, ticked: whyNot(line) === undefined });
        }
      }
      setProgress(undefined);
      setLines(found);
      setWeighedBy(keyOf(rule));
      setRan(false);
    });
  const run = async () => {
    const rule = batchRule.parse(form.values);
    const ticked = lines!.filter((l) => l.ticked);
    for (const [i, line] of ticked.entries()) {
      setProgress({ now: i, of: ticked.length });
      const result = await one(line, rule);
      setLines((all) => all!.map((l) => (l.id === line.id ? { ...l, ...result, ticked: false } : l)));
    }
    setProgress(undefined);
    setRan(true);
    await refresh();
  };
  const one = async (line: Line, rule: ReturnType<typeof batchRule.parse>) => {
    try {
      const { rents, preview } = line.weighed;
      const body = { ...askOf(line, rule), rents, previewHash: preview!.previewHash };
      const { actNo } = await send(handInRenewal, { body }, { idempotencyKey: freshKey() });
      return { done: actNo };
    } catch (failure) {
      return { refusal: sentence(failure) };
    }
  };
  const tick = (line: Line, ticked: boolean) =>
    setLines((all) => all!.map((l) => (l.id === line.id ? { ...l, ticked } : l)));
  const ticked = lines?.filter((l) => l.ticked).length ?? 0;
  const done = lines?.filter((l) => l.done).length ?? 0;
  const failed = lines?.filter((l) => l.refusal).length ?? 0;
  const note = progress
    ? `已处理 ${progress.now} / ${progress.of}`
    : ran
      ? `已提交 ${done} 份${failed ? `，${failed} 份未办理` : ""}`
      : lines
        ? `已选 ${ticked} 份，共 ${lines.length} 份`
        : `共 ${of.length} 份`;
  return (
    <Drawer
      title={`批量续租 ${of.length} 份合同`}
      width={1180}
      modal
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          note={
            <span className="sub" role="status">
              {note}
            </span>
          }
        >
          <Button busy={progress !== undefined} run={weigh}>
            试算
          </Button>
          <Button
            look="main"
            busy={progress !== undefined}
            why={
              !lines
                ? "请先试算"
                : !ticked
                  ? "没有可提交的合同"
                  : keyOf(form.values) === weighedBy
                    ? undefined
                    : "续租规则已修改，请重新试算"
            }
            run={run}
          >
            提交 {ticked || ""} 份
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-14">
        <FormFields
          form={form}
          cols={3}
          label={88}
          fields={[
            "months",
            "way",
            {
              key: "value",
              title: form.values.way === "amount" ? "调整金额" : "调整比例",
              unit: form.values.way === "amount" ? "元/月" : "%",
              when: () => form.values.way !== "list",
            },
            "rounding",
            "deposit",
            { key: "reason", placeholder: "如：到期统一续租" },
          ]}
        />
        {lines && (
          <RowTable<Line>
            schema={listRenewals.reply!.shape.list}
            rows={lines}
            columns={[
              {
                own: "tick",
                title: "",
                width: 40,
                show: (l) => (
                  <Tick
                    checked={l.ticked}
                    label={`选择 ${l.contractNo}`}
                    why={l.done ? "已提交" : whyNot(l)}
                    onChange={(on) => tick(l, on)}
                  />
                ),
              },
              "contractNo",
              "partyName",
              "roomNames",
              "endDate",
              { key: "rent" },
              {
                own: "newRent",
                title: "新月租",
                right: true,
                show: (l) =>
                  l.weighed.preview ? (
                    <>
                      <Money fen={rentOf(l)} /> <span className="dim">{riseText(l.rent, rentOf(l))}</span>
                    </>
                  ) : (
                    NONE
                  ),
              },
              {
                own: "deposit",
                title: "押金差",
                right: true,
                show: (l) => {
                  const p = l.weighed.preview;
                  return p ? yuan(p.deposit - p.carried - p.back) : NONE;
                },
              },
              {
                own: "first",
                title: "签约应付",
                right: true,
                show: (l) => (l.weighed.preview ? <Money fen={l.weighed.preview.due} strong /> : NONE),
              },
              {
                own: "result",
                title: "结果",
                show: (l) =>
                  l.done ? (
                    <StatusTag tone="green">已提交 {l.done}</StatusTag>
                  ) : (l.refusal ?? whyNot(l)) ? (
                    <span className="bad">{l.refusal ?? whyNot(l)}</span>
                  ) : (
                    NONE
                  ),
              },
            ]}
          />
        )}
      </div>
    </Drawer>
  );
}
