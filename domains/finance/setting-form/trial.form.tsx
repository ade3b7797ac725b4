import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { type InputProps, MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { lateFeeTrial, trialSegment } from "../latefee/trial.contract.ts";
import { type LateFeeFields, rateWarning } from "../setting/late-terms.rules.ts";

type Trial = Body<typeof lateFeeTrial>;
type Payment = Trial["payments"][number];

/** 2,800.00 due on 1 March, 1,500.00 paid on the 26th and the rest on 10 April: 30.80 + 9.75 = 40.55 by the usual terms. */
const example = ({ graceDays, lateFeeDailyRate, lateFeeCapPercent }: LateFeeFields): Trial => ({
  principal: 280_000,
  dueDate: "2026-03-01",
  graceDays,
  lateFeeDailyRate,
  lateFeeCapPercent,
  payments: [
    { day: "2026-03-26", amount: 150_000 },
    { day: "2026-04-10", amount: 130_000 },
  ],
});

/** Terms tried out before they are set: from principal, due day and payments to segments and their sum. */
export function LateFeeTrial({ terms }: { terms: LateFeeFields }) {
  const form = useForm<Trial>(lateFeeTrial.body, example(terms));
  const [asked, setAsked] = useState<Trial>(() => example(terms));
  const { data, error, refetch } = useQuery({
    queryKey: [lateFeeTrial.path, asked],
    queryFn: () => send(lateFeeTrial, { body: asked }),
    placeholderData: keepPreviousData,
  });
  const warning = rateWarning(form.values.lateFeeDailyRate);
  // laid on the fields by sending it once here; the answer comes from the query
  const work = () =>
    form.submit(async (body) => {
      await send(lateFeeTrial, { body });
      setAsked(body);
    });
  return (
    <>
      <FormFields
        form={form}
        cols={2}
        label={96}
        fields={[
          "principal",
          "dueDate",
          "graceDays",
          {
            key: "lateFeeDailyRate",
            input: (p) => <RateInput {...p} />,
            help: warning && <span className="neg">{warning}</span>,
          },
          "lateFeeCapPercent",
          { key: "until", help: "不填：付清的算到付清日，未付清的算到今天" },
          {
            show: () => (
              <Lines<Trial, Payment>
                form={form}
                name="payments"
                heads={["收款日", "收款金额"]}
                blank={{}}
                add="添加收款"
                most={20}
                fields={[
                  { key: "day", width: 200, input: (p) => <DayInput {...p} /> },
                  { key: "amount", width: 200, input: (p) => <MoneyInput {...p} /> },
                ]}
              />
            ),
          },
        ]}
      />
      <p className="acts">
        <Button busy={form.busy} run={work}>
          试算
        </Button>
        <span className="dim">只作计算，不保存</span>
      </p>
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={2} />
      ) : (
        <>
          <RowTable
            schema={trialSegment}
            rows={data.segments}
            columns={["from", "to", "because", "principal", "days", { key: "fee", strong: true }]}
            sums={{ days: data.days, fee: data.total }}
            sumNote={data.capped ? "合计，已到上限" : "合计"}
            emptyText={`${data.firstDay} 起才计滞纳金，到 ${data.until} 没有`}
          />
          {data.segments.length > 1 && (
            <p className="set__sum sub">
              {data.segments.map((s) => yuan(s.fee)).join(" + ")} = {yuan(data.total)}
              {data.open > 0 && `，未收本金 ${yuan(data.open)}，算到 ${data.until}`}
            </p>
          )}
        </>
      )}
    </>
  );
}

/** A rate is kept as the text of its decimal. */
export const RateInput = ({ value, onChange, ...rest }: InputProps<string>) => (
  <NumberInput
    {...rest}
    unit="%/天"
    value={value === undefined ? undefined : Number(value)}
    onChange={(n) => onChange(n === undefined ? undefined : String(n))}
  />
);
