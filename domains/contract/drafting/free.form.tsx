import { addDays, daysBetween, minDay } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { DayRange } from "../../../platform/console/inputs/days.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import type { ContractForm } from "../terms/terms.contract.ts";
import type { Draft } from "./draft.form.tsx";

type Free = ContractForm["rentFree"][number];
const lengthOf = (free: Free) => daysBetween(free.fromDate, free.toDate) + 1;

/** Days that cost nothing, with the fees that are free too; the term can be made longer by them. */
export function FreeRows({ draft }: { draft: Draft }) {
  const { form, patch, live, errors } = draft;
  const { start, end } = form;
  const fees = [
    ...new Map(
      form.fees
        .filter((f) => f.feeId && f.kind === "recurring")
        .map((f) => [f.feeId, f.name || draft.data?.fees.find((d) => d.feeId === f.feeId)?.name || "费用"]),
    ),
  ];
  const set = (i: number, more: Partial<Free>) =>
    patch({ rentFree: form.rentFree.map((f, k) => (k === i ? { ...f, ...more } : f)) });
  const add = () => {
    const from = form.rentFree.length ? addDays(form.rentFree.at(-1)!.toDate, 1) : start!;
    patch({ rentFree: [...form.rentFree, { fromDate: from, toDate: minDay(addDays(from, 9), end!) }] });
  };
  const days = form.rentFree.reduce((s, f) => s + lengthOf(f), 0);
  return (
    <div className="fi--wide cf__free">
      <div className="cf__head row fs-13">
        <h3>免租期</h3>
        {days > 0 && (
          <span className="dim">
            {days} 天{live.plan ? `，免租 ${yuan(live.plan.totals.forgone)}` : ""}
          </span>
        )}
        <Button size="sm" icon="plus" why={start && end ? undefined : "请先选择租期"} run={add}>
          添加
        </Button>
        {days > 0 && (
          <Button size="sm" look="text" run={() => patch({ end: addDays(end!, days) })}>
            顺延租期 {days} 天
          </Button>
        )}
      </div>
      {form.rentFree.map((free, i) => {
        const wrong = errors[`rentFree.${i}.fromDate`] ?? errors[`rentFree.${i}.toDate`];
        return (
          <div key={i} className="free">
            <DayRange
              value={{ from: free.fromDate, to: free.toDate }}
              onChange={({ from, to }) => from && to && set(i, { fromDate: from, toDate: to })}
            />
            <span className="sub">{lengthOf(free)} 天</span>
            {fees.map(([feeId, name]) => (
              <Tick
                key={feeId}
                checked={free.feeIds?.includes(feeId) ?? false}
                onChange={(on) =>
                  set(i, {
                    feeIds: on
                      ? [...(free.feeIds ?? []), feeId]
                      : (free.feeIds ?? []).filter((id) => id !== feeId),
                  })
                }
              >
                {name}同免
              </Tick>
            ))}
            <IconButton
              icon="trash"
              size={14}
              label="移除免租期"
              run={() => patch({ rentFree: form.rentFree.toSpliced(i, 1) })}
            />
            {wrong && <p className="form__note">{wrong}</p>}
          </div>
        );
      })}
    </div>
  );
}
