import { Select } from "antd";
import { useState } from "react";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import {
  ChoiceInput,
  DecimalInput,
  MoneyInput,
  NumberInput,
} from "../../../platform/console/inputs/inputs.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { rentsAt } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import { firstOf, staleSteps } from "../terms/check.rules.ts";
import { isAttached } from "../terms/product.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { isRuled } from "../terms/terms.rules.ts";
import type { Draft } from "./draft.form.tsx";
import {
  type RiseRow,
  byHand,
  inputOf,
  keptSteps,
  looseSteps,
  outdatedRows,
  recomputedSteps,
  riseRows,
} from "./rise.rules.ts";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** The rent has changed since rents were set by hand: whether those still hold is asked, never guessed. */
export function RiseStale({ draft: { form, patch }, input }: { draft: Draft; input: ScheduleInput }) {
  const stale = staleSteps(form.steps, input).map((i) => form.steps[i]!);
  const outdated = outdatedRows(form, input);
  if (!stale.length && !outdated) return null;
  const [one] = stale;
  return (
    <div className="cf__stale tinted s-gold row wrap fs-13" role="alert">
      <p>
        {one && !outdated
          ? `月租金已改。${stale.map((s) => `${s.fromDate} 起 ${yuan(s.resultRent)} 元`).join("、")}是按原月租金 ${yuan(one.firstRent!)} 元手工填写的，请确认是否保留。`
          : "下列租金是按原来的月租金或租期算出的，与递增规则现在的结果不一致，请确认是否保留。"}
      </p>
      <Button size="sm" run={() => patch(keptSteps(form, input))}>
        {outdated ? "保留原租金" : "保留手工租金"}
      </Button>
      <Button size="sm" look="main" run={() => patch(recomputedSteps(form, input))}>
        {outdated ? "按规则重算" : "按新租金重算"}
      </Button>
    </div>
  );
}

type Step = ContractForm["steps"][number];

const reason = ({ source, mode, value, before }: RiseRow): string => {
  if (mode === "table" || (source === "manual" && mode !== "amount")) return "约定租金";
  if (mode === "amount") return `${yuan(before)} + ${yuan(Number(value))}`;
  return mode === "percentBase" ? `首年租金 + ${value}%` : `${yuan(before)} × (1 + ${value}%)`;
};
const change = (before: number, after: number) =>
  before > 0 ? `${(((after - before) / before) * 100).toFixed(2)}%` : "—";

/** The rents of the term one below the other, as they will be billed: what the rule makes, and what was set by hand. */
export function RiseTable({ draft }: { draft: Draft }) {
  const { form, patch, cards, errors } = draft;
  const [ruling, setRuling] = useState(false);
  const input = inputOf(form, (roomId) => cards.get(roomId)?.area ?? null);
  const rows = input ? riseRows(form, input) : [];
  const main = form.rooms.find((r) => !isAttached(cards.get(r.roomId)?.kind ?? "room"));
  const only = form.rooms.length > 1 ? (main?.roomId ?? null) : null;
  const ruleWrong = errors["stepRule.value"] ?? errors["stepRule.every"];
  const add = () => {
    if (!input) return;
    const last = rows.findLast((row) => row.roomId === only || row.roomId === null);
    const fromDate = addDays(last?.fromDate ?? form.start!, 1);
    const rent = last && last.roomId === only ? last.rent : firstOf(input, only);
    patch({ steps: [...form.steps, byHand(input, fromDate, only, rent)] });
  };
  return (
    <div className="fi--wide cf__rise">
      <div className="cf__head row fs-13">
        <h3>租金递增</h3>
        <span className="dim">
          {form.stepRule ? ruleText(form.stepRule) : form.steps.length ? "自定义" : "不递增"}
        </span>
        <Button size="sm" run={() => setRuling(true)}>
          {form.stepRule ? "修改规则" : "设置规则"}
        </Button>
        {input && isRuled(form) && (
          <Button size="sm" run={() => patch(looseSteps(input))}>
            改为自定义
          </Button>
        )}
        <Button size="sm" icon="plus" why={input ? undefined : "请先完成房间与租期"} run={add}>
          添加一档
        </Button>
        {(form.steps.length > 0 || form.stepRule) && (
          <Button size="sm" look="text" run={() => patch({ steps: [], stepRule: null })}>
            清除
          </Button>
        )}
      </div>
      {ruleWrong && <p className="form__note">{ruleWrong}</p>}
      {input && <RiseStale draft={draft} input={input} />}
      {input && rows.length > 0 && <Rows draft={draft} input={input} rows={rows} main={only} />}
      {ruling && <RiseRule draft={draft} onClose={() => setRuling(false)} />}
    </div>
  );
}

type RowsProps = { draft: Draft; input: ScheduleInput; rows: readonly RiseRow[]; main: number | null };

function Rows({ draft: { form, patch, cards, errors }, input, rows, main }: RowsProps) {
  const several = form.rooms.length > 1;
  const nameOf = (roomId: number) => cards.get(roomId)?.name ?? `房间 ${roomId}`;
  const put = (at: number, step: Step) => patch({ steps: form.steps.map((s, k) => (k === at ? step : s)) });
  /** A row of the rule is corrected by one of the form's own on the same day. */
  const correct = ({ at, fromDate, roomId }: RiseRow, rent: number) => {
    const step = byHand(input, fromDate, roomId, rent);
    if (at === undefined) patch({ steps: [...form.steps, step] });
    else put(at, step);
  };
  /** What the room costs from that day so far. */
  const onDay = (fromDate: string, roomId: number) =>
    byHand(input, fromDate, roomId, rentsAt(input, fromDate).find((r) => r.roomId === roomId)!.monthlyRent);
  return (
    <div className="lines">
      <table>
        <thead>
          <tr>
            <th>生效日</th>
            <th>止</th>
            {several && <th>房间</th>}
            <th>依据</th>
            <th className="num">递增</th>
            <th>月租金</th>
            <th>来源</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{form.start}</td>
            <td>{addDays(rows[0]!.fromDate, -1)}</td>
            {several && <td>全部房间</td>}
            <td className="dim">起租租金</td>
            <td className="num dim">—</td>
            <td className="num">{yuan(firstOf(input, null))}</td>
            <td>合同</td>
            <td />
          </tr>
          {rows.map((row) => {
            const { at, fromDate, roomId, rent, source } = row;
            const wrong = ["fromDate", "value", "resultRent", "roomId"]
              .map((field) => errors[`steps.${at}.${field}`])
              .find(Boolean);
            const next = rows.find(
              (r) => r.fromDate > fromDate && (r.roomId === roomId || r.roomId === null),
            );
            const whole = several && roomId === null;
            return (
              <tr key={`${at ?? "rule"} ${fromDate} ${roomId}`} className={wrong ? "bad" : ""}>
                <td>
                  {at === undefined ? (
                    fromDate
                  ) : (
                    <DayInput
                      value={fromDate}
                      onChange={(day) =>
                        day && put(at, { ...form.steps[at]!, fromDate: day, source: "manual" })
                      }
                    />
                  )}
                  {wrong && <p className="form__note">{wrong}</p>}
                </td>
                <td>{next ? addDays(next.fromDate, -1) : form.end}</td>
                {several && (
                  <td>
                    {roomId === null || at === undefined ? (
                      "全部房间"
                    ) : (
                      <Select
                        aria-label={`${fromDate} 调价的房间`}
                        value={roomId}
                        style={{ minWidth: 112 }}
                        showSearch={{ optionFilterProp: "label" }}
                        options={form.rooms.map((r) => ({ value: r.roomId, label: nameOf(r.roomId) }))}
                        onChange={(id) => put(at, onDay(fromDate, id))}
                      />
                    )}
                  </td>
                )}
                <td className="dim">{whole && row.mode !== "table" ? "各房间分别递增" : reason(row)}</td>
                <td className="num">{change(row.before, rent)}</td>
                <td className={whole ? "num" : undefined}>
                  {whole ? (
                    yuan(rent)
                  ) : (
                    <MoneyInput value={rent} onChange={(fen) => correct(row, fen ?? 0)} unit="元/月" />
                  )}
                </td>
                <td>{source === "rule" ? "规则" : "手工"}</td>
                <td className="lines__x">
                  {whole && main !== null && (
                    <IconButton
                      icon="edit"
                      size={14}
                      label={`更正 ${fromDate} 一间的租金`}
                      run={() => patch({ steps: [...form.steps, onDay(fromDate, main)] })}
                    />
                  )}
                  {at !== undefined && (
                    <IconButton
                      icon="trash"
                      size={14}
                      label={`移除 ${fromDate}`}
                      run={() => patch({ steps: form.steps.toSpliced(at, 1) })}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type Rule = NonNullable<ContractForm["stepRule"]>;
const MODES = {
  percentCompound: ["复利 %", "grey"],
  percentBase: ["按首年 %", "grey"],
  amount: ["固定金额", "grey"],
} as const;

/** 每 12 个月递增 5%，复利 */
export function ruleText({ every, unit, mode, value }: Rule): string {
  const often = unit === "year" ? `每 ${every} 年` : `每 ${every} 个月`;
  if (mode === "amount") return `${often}递增 ${yuan(Number(value))} 元`;
  return `${often}递增 ${value}%，${mode === "percentBase" ? "按首年" : "复利"}`;
}

/** "Every n months by x": kept as a rule, so that its rows follow the rent and the term. */
export function RiseRule({ draft: { form, patch, cards }, onClose }: { draft: Draft; onClose: () => void }) {
  const [rule, setRule] = useState<Rule>(
    form.stepRule ?? { every: 12, unit: "month", mode: "percentCompound", value: "5" },
  );
  const [wrong, setWrong] = useState<string>();
  const set = (more: Partial<Rule>) => setRule({ ...rule, ...more });
  const write = () => {
    const number = Number(rule.value);
    if (!(rule.every >= 1 && Number.isInteger(rule.every))) return setWrong("请输入正确的间隔");
    if (!rule.value || Number.isNaN(number) || number === 0) return setWrong("请输入递增的比例或金额");
    if (!form.start || !form.end || !form.rooms.length) return setWrong("请先完成房间与租期");
    const next = { ...form, stepRule: rule, steps: [] };
    const made = inputOf(next, (roomId) => cards.get(roomId)?.area ?? null)?.steps.length;
    if (!made) return setWrong("租期内没有到递增日");
    patch({ stepRule: rule, steps: [] });
    onClose();
  };
  return (
    <Dialog
      title="租金递增规则"
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" run={write}>
            生成
          </Button>
        </Foot>
      }
    >
      <div className="form rise">
        <div className="fi">
          <span className="fi__label">每</span>
          <div className="row">
            <NumberInput value={rule.every} onChange={(every) => set({ every: every ?? Number.NaN })} />
            <Select
              aria-label="单位"
              value={rule.unit}
              style={{ width: 92 }}
              options={[
                { value: "month", label: "个月" },
                { value: "year", label: "年" },
              ]}
              onChange={(unit) => set({ unit })}
            />
          </div>
        </div>
        <div className="fi">
          <span className="fi__label">递增方式</span>
          <ChoiceInput
            value={rule.mode}
            words={MODES}
            onChange={(mode) => set({ mode: mode as Rule["mode"], value: mode === "amount" ? "10000" : "5" })}
          />
        </div>
        <div className="fi">
          <span className="fi__label">递增</span>
          {rule.mode === "amount" ? (
            <MoneyInput
              value={Number(rule.value)}
              onChange={(fen) => set({ value: String(fen ?? 0) })}
              unit="元/月"
            />
          ) : (
            <DecimalInput value={rule.value} onChange={(value) => set({ value: value ?? "" })} unit="%" />
          )}
        </div>
        <div className="fi">
          <span className="fi__label">首次递增日</span>
          <div>
            <DayInput
              value={rule.from ?? undefined}
              onChange={(from) => set({ from: from ?? null })}
              placeholder="默认为起租后满一个周期"
            />
          </div>
        </div>
        {wrong && <p className="form__note">{wrong}</p>}
      </div>
    </Dialog>
  );
}
