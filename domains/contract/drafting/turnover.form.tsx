import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import { RENT_KINDS, USUAL_RULE, type TurnoverRule } from "../terms/terms.contract.ts";
import { breakEven, ruleErrors, turnoverRent } from "../terms/turnover-share.rules.ts";
import { Fields, decimalIn, moneyIn, numberIn, wordsIn } from "./term-fields.form.tsx";
import type { Draft } from "./draft.form.tsx";

/** What a shop pays of its turnover: fixed rent knows nothing of it. */
export function TurnoverFields({ draft, base }: { draft: Draft; base: Fen }) {
  const rule = draft.form.turnover;
  const choose = (code: string | undefined) =>
    draft.patch({
      turnover:
        !code || code === "fixed"
          ? null
          : { ...(rule ?? USUAL_RULE), rentKind: code as TurnoverRule["rentKind"] },
    });
  const help =
    rule?.rentKind === "higherOf"
      ? "月租金为保底，按计费期先付；提成超出保底的部分每月确认营业额后补收"
      : rule?.rentKind === "turnover" && "租金每月确认营业额后收取，月租金可以填 0";
  const input = wordsIn(RENT_KINDS, { value: rule?.rentKind ?? "fixed", onChange: choose });
  return (
    <>
      <h3 className="form__section">租金方式</h3>
      <Fields form={draft} of={[["turnover.rentKind", { title: "租金方式", wide: true, input, help }]]} />
      {rule && rule.rentKind !== "fixed" && <Rule draft={draft} rule={rule} base={base} />}
    </>
  );
}

const TAXED = { no: ["含税", "grey"], yes: ["不含税", "grey"] } as const;

function Rule({ draft, rule, base }: { draft: Draft; rule: TurnoverRule; base: Fen }) {
  const net = wordsIn(TAXED, {
    value: rule.netOfTax ? "yes" : "no",
    onChange: (code) => draft.set("turnover.netOfTax", code === "yes"),
  });
  const told = "每月该日前申报上月营业额，逾期 5 天按下面的方式暂估";
  return (
    <>
      <Bands draft={draft} rule={rule} />
      <Fields
        form={draft}
        of={[
          ["turnover.bandMode"],
          ["turnover.bandBasis"],
          ["turnover.settleBasis"],
          ["turnover.netOfTax", { title: "提成基数", input: net }],
          ["turnover.declareDay", { title: "申报日", input: numberIn("日"), help: told }],
          ["turnover.missing", { title: "未申报" }],
          ["turnover.excludedCategories", { wide: true }],
        ]}
      />
      {ruleErrors(rule).length === 0 && <Curve rule={rule} base={base} />}
    </>
  );
}

/** Bands from the bottom up; the last one has no upper end. */
function Bands({ draft, rule }: { draft: Draft; rule: TurnoverRule }) {
  const { bands } = rule;
  const last = bands.length - 1;
  const set = (next: TurnoverRule["bands"]) => draft.set("turnover.bands", next);
  const add = () =>
    set([
      ...bands.slice(0, last),
      { upTo: undefined, rate: bands[last]?.rate ?? "10" },
      ...bands.slice(last),
    ]);
  return (
    <div className="fi--wide lines">
      <table>
        <thead>
          <tr>
            <th>营业额至</th>
            <th>扣点</th>
            <th aria-label="移除" />
          </tr>
        </thead>
        <tbody>
          {bands.map((band, i) => (
            <tr key={i}>
              <td>
                {i === last ? (
                  <span className="dim">{i ? `${yuan(bands[i - 1]?.upTo ?? 0)} 元以上` : "全部营业额"}</span>
                ) : (
                  <OneField
                    bare
                    form={draft}
                    path={`turnover.bands.${i}.upTo`}
                    more={{ title: `第 ${i + 1} 档上限`, input: moneyIn() }}
                  />
                )}
              </td>
              <td>
                <OneField
                  bare
                  form={draft}
                  path={`turnover.bands.${i}.rate`}
                  more={{ title: `第 ${i + 1} 档扣点`, input: decimalIn("%") }}
                />
              </td>
              <td className="lines__x">
                <IconButton
                  icon="trash"
                  size={14}
                  label={`移除第 ${i + 1} 档`}
                  why={i === last ? "最后一档不能移除" : undefined}
                  run={() => set(bands.toSpliced(i, 1))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="lines__add">
        <Button size="sm" icon="plus" why={bands.length >= 10 ? "最多 10 档" : undefined} run={add}>
          添加分档
        </Button>
      </div>
    </div>
  );
}

const STEPS = 10;

/** The rent of a month against its turnover, with the point from which the share counts. */
function Curve({ rule, base }: { rule: TurnoverRule; base: Fen }) {
  const even = rule.rentKind === "higherOf" ? breakEven(rule, base) : null;
  const bands = rule.bands.flatMap((b) => b.upTo ?? []);
  const most = Math.max(2 * (even ?? 0), 1.5 * Math.max(0, ...bands), 10_000_000);
  const sales = Array.from({ length: STEPS + 1 }, (_, i) => Math.round((most * i) / STEPS));
  const least = rule.rentKind === "higherOf" ? base : 0;
  return (
    <div className="fi--wide">
      {even !== null && (
        <p role="status">
          月营业额超过 <b>{yuan(even)}</b> 元，提成高于保底 {yuan(base)} 元
        </p>
      )}
      <Chart
        kind="line"
        title="月租金随营业额变化（元）"
        height={180}
        labels={sales.map((s) => String(Math.round(s / 100)))}
        series={[
          {
            name: "应付租金",
            values: sales.map((s) => Math.max(least, turnoverRent(rule, s)) / 100),
            tone: "blue",
          },
          { name: "提成", values: sales.map((s) => turnoverRent(rule, s) / 100), tone: "green" },
        ]}
      />
    </div>
  );
}
