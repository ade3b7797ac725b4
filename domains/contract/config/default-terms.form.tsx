import { OneField } from "../../../platform/console/form/form-field.tsx";
import type { TermsDraft } from "../drafting/draft.form.tsx";
import { DueFields } from "../drafting/due.form.tsx";
import { LeaveFields } from "../drafting/penalty.form.tsx";
import { PayPlans } from "../drafting/pay-plan.form.tsx";
import {
  BasisField,
  DepositField,
  LateFields,
  PeriodsField,
  PricingField,
  RoundingField,
} from "../drafting/term-fields.form.tsx";

/** The terms that a new contract starts from, with the inputs of the contract form. */
export const DefaultTerms = ({ draft }: { draft: TermsDraft }) => (
  <>
    <h3 className="form__section">
      默认付款与计费期<small>新建合同时自动带入，签约时可以修改</small>
    </h3>
    <PayPlans draft={draft} />
    <PricingField draft={draft} />
    <DepositField draft={draft} />
    <BasisField draft={draft} />
    <RoundingField draft={draft} />
    <PeriodsField draft={draft} />
    <h3 className="form__section">默认应收日与滞纳金</h3>
    <DueFields draft={draft} />
    <LateFields draft={draft} />
    <h3 className="form__section">默认违约与退房</h3>
    <LeaveFields draft={draft} />
    <OneField form={draft} path="policyNote" more={{ wide: true }} />
  </>
);
