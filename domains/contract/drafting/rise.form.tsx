import { useState } from "react";
import { addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button, IconButton } from "../../../platform/console/button.tsx";
import { DayInput } from "../../../platform/console/days.tsx";
import { MoneyInput } from "../../../platform/console/inputs.tsx";
import { isAttached } from "../terms/limits.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import type { Draft } from "./draft.form.tsx";
import { RiseRule, ruleText } from "./rise-rule.form.tsx";

type Step = ContractForm["steps"][number];

const reason = (step: Step, before: number): string => {
  if (step.source === "manual") return "约定租金";
  if (step.mode === "amount") return `${yuan(before)} + ${yuan(Number(step.value))}`;
  return step.mode === "percentBase" ? `首年租金 + ${step.value}%` : `${yuan(before)} × (1 + ${step.value}%)`;
};
const change = (before: number, after: number) =>
  before > 0 ? `${(((after - before) / before) * 100).toFixed(2)}%` : "—";

/** The rents of the term one below the other: what a rule has written out, each correctable by hand. */
export function RiseTable({ draft }: { draft: Draft }) {
  const { form, patch, cards, errors } = draft;
  const [ruling, setRuling] = useState(false);
  const area = (roomId: number) => cards.get(roomId)?.area ?? null;
  const base = form.rooms.reduce(
    (s, r) => s + (firstRent(form, { ...r, unitPrice: r.unitPrice ?? null, area: area(r.roomId) }) || 0),
    0,
  );
  const main = form.rooms.find((r) => !isAttached(cards.get(r.roomId)?.kind ?? "room"));
  const only = form.rooms.length > 1 ? { roomId: main?.roomId } : {};
  const setStep = (i: number, more: Partial<Step>) =>
    patch({ steps: form.steps.map((s, k) => (k === i ? { ...s, ...more } : s)) });
  const byHand = (i: number, fen: number | undefined) =>
    setStep(i, { resultRent: fen ?? 0, mode: "table", value: String(fen ?? 0), source: "manual", ...only });
  const add = () => {
    const fromDate = form.steps.at(-1)?.fromDate ?? form.start!;
    const resultRent = form.steps.at(-1)?.resultRent ?? base;
    patch({
      steps: [
        ...form.steps,
        {
          fromDate: addDays(fromDate, 1),
          mode: "table",
          value: String(resultRent),
          resultRent,
          source: "manual",
          ...only,
        },
      ],
    });
  };
  let before = base;
  return (
    <div className="fi--wide cf__rise">
      <div className="cf__head">
        <h3>租金递增</h3>
        <span className="dim">
          {form.stepRule ? ruleText(form.stepRule) : form.steps.length ? "自定义" : "不递增"}
        </span>
        <Button size="sm" run={() => setRuling(true)}>
          {form.steps.length ? "修改规则" : "设置规则"}
        </Button>
        <Button size="sm" icon="plus" why={form.start ? undefined : "请先选择起租日"} run={add}>
          添加一档
        </Button>
        {form.steps.length > 0 && (
          <Button size="sm" look="text" run={() => patch({ steps: [], stepRule: null })}>
            清除
          </Button>
        )}
      </div>
      {form.steps.length > 0 && (
        <div className="lines">
          <table>
            <thead>
              <tr>
                <th>生效日</th>
                <th>止</th>
                <th>依据</th>
                <th className="num">递增</th>
                <th>月租金</th>
                <th>来源</th>
                <th aria-label="移除" />
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>{form.start}</td>
                <td>{form.steps[0] && addDays(form.steps[0].fromDate, -1)}</td>
                <td className="dim">起租租金</td>
                <td className="num dim">—</td>
                <td className="num">{yuan(base)}</td>
                <td>合同</td>
                <td />
              </tr>
              {form.steps.map((step, i) => {
                const was = before;
                before = step.resultRent;
                const wrong =
                  errors[`steps.${i}.fromDate`] ??
                  errors[`steps.${i}.value`] ??
                  errors[`steps.${i}.resultRent`];
                return (
                  <tr key={i} className={wrong ? "bad" : ""}>
                    <td>
                      <DayInput
                        value={step.fromDate}
                        onChange={(day) => day && setStep(i, { fromDate: day, source: "manual" })}
                      />
                      {wrong && <p className="form__note">{wrong}</p>}
                    </td>
                    <td>{form.steps[i + 1] ? addDays(form.steps[i + 1]!.fromDate, -1) : form.end}</td>
                    <td className="dim">{reason(step, was)}</td>
                    <td className="num">{change(was, step.resultRent)}</td>
                    <td>
                      <MoneyInput value={step.resultRent} onChange={(fen) => byHand(i, fen)} unit="元/月" />
                    </td>
                    <td>{step.source === "rule" ? "规则" : "手工"}</td>
                    <td className="lines__x">
                      <IconButton
                        icon="trash"
                        size={14}
                        label={`移除 ${step.fromDate}`}
                        run={() => patch({ steps: form.steps.toSpliced(i, 1) })}
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {ruling && <RiseRule draft={draft} onClose={() => setRuling(false)} />}
    </div>
  );
}
