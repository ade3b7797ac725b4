import type { ReactNode } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { breachClauses, depositClause, feeClauses, rentClauses } from "../paper/clause.rules.ts";
import { BASIS_WORDS, PRICING_WORDS, ROUNDING_WORDS } from "../terms/terms.contract.ts";
import { rentsOf } from "./rents.rules.ts";
import type { ContractDetail } from "./detail.contract.ts";

/** The terms in force in the words of the paper, with the choices behind them. */
export function ContractTerms({ contract: c }: { contract: ContractDetail }) {
  const { terms } = c;
  const fees = feeClauses(terms);
  return (
    <div className="clauses">
      <Group title="计费方式">
        <li>
          {PRICING_WORDS[terms.pricing][0]}，不足整月{BASIS_WORDS[terms.basis][0]}，租金取整到
          {ROUNDING_WORDS[terms.rentRounding][0]}，计费期
          {terms.calendarPeriods ? "按自然月" : "按起租日"}，{c.payText}
        </li>
        {c.netRent !== null && <li>折后月租 {yuan(c.netRent)}</li>}
      </Group>
      <Group title="租金">
        {rentClauses(
          terms,
          rentsOf(c),
          c.rooms.map((r) => r.name),
        ).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </Group>
      <Group title="押金">
        <li>{depositClause(c.depositAmount ?? 0)}</li>
      </Group>
      <Group title="费用">
        {fees.length ? (
          fees.map((text) => <li key={text}>{text}</li>)
        ) : (
          <li className="dim">没有约定其他费用</li>
        )}
      </Group>
      <Group title="违约与退房">
        {breachClauses(terms).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </Group>
      {terms.policyNote && (
        <Group title="补充约定">
          <li>{terms.policyNote}</li>
        </Group>
      )}
    </div>
  );
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3>{title}</h3>
    <ul>{children}</ul>
  </section>
);
