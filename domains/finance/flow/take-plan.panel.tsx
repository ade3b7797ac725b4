import { Switch } from "antd";
import type { ReactNode } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { MoneyInput } from "../../../platform/console/inputs.tsx";
import { Money } from "../../../platform/console/kinds.tsx";
import { RowsSkeleton } from "../../../platform/console/states.tsx";
import { keyOf } from "../allocation/plan.rules.ts";
import { PlanNotes, type Plan } from "./plan.panel.tsx";

type Props = {
  plan: Plan | undefined;
  wrong: string | undefined;
  prepaid: number;
  usePrepaid: boolean;
  onUsePrepaid: (use: boolean) => void;
  pays: Record<string, number>;
  onPay: (key: string, amount: number) => void;
  foot: ReactNode;
};

/** 分配预览: in the rule's order, each amount editable; what is left goes to 预存款. */
export function TakePlan({ plan, wrong, prepaid, usePrepaid, onUsePrepaid, pays, onPay, foot }: Props) {
  return (
    <aside className="card counter__plan" aria-label="分配预览">
      <h2>分配预览</h2>
      {wrong && (
        <div className="form__alert" role="alert">
          {wrong}
        </div>
      )}
      {prepaid > 0 && (
        <label className="counter__sum">
          <span>使用预存款（现有 {yuan(prepaid)}）</span>
          <Switch size="small" checked={usePrepaid} onChange={onUsePrepaid} />
        </label>
      )}
      {plan ? (
        <>
          {plan.rows.length > 0 && (
            <div className="lines" style={{ marginBottom: 8 }}>
              <table>
                <thead>
                  <tr>
                    <th>费用</th>
                    <th className="num">未收</th>
                    <th>本次</th>
                  </tr>
                </thead>
                <tbody>
                  {plan.rows.map((row) => (
                    <tr key={keyOf(row)}>
                      <td>
                        {row.subject}
                        <br />
                        <small className="dim">{row.dueDate}</small>
                      </td>
                      <td className="num">
                        <Money fen={row.owed} />
                      </td>
                      <td>
                        <MoneyInput
                          value={pays[keyOf(row)] ?? row.pay}
                          onChange={(pay) => onPay(keyOf(row), pay && pay > 0 ? pay : 0)}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <p className="counter__sum">
            分配合计 <b>{yuan(plan.paid)}</b>
          </p>
          <p className="counter__sum">
            转入预存款 <b>{yuan(plan.toPrepaid)}</b>
          </p>
          <p className="counter__sum">
            预存款余额{" "}
            <span>
              {yuan(plan.prepaidBefore)} → <b>{yuan(plan.prepaidAfter)}</b>
            </span>
          </p>
          <p className="counter__sum counter__sum--main">
            收款金额 <b>{yuan(plan.amount)}</b>
          </p>
          <PlanNotes plan={{ ...plan, toPrepaid: 0 }} />
        </>
      ) : (
        !wrong && <RowsSkeleton rows={4} />
      )}
      <div className="counter__foot">{foot}</div>
    </aside>
  );
}
