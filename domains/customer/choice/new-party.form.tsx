import { lazy, Suspense } from "react";
import { may } from "../../../platform/console/session/permits.ts";
import type { ChoiceKind } from "./choice.rules.ts";

const FORMS = {
  renter: lazy(() => import("../renter/renter.form.tsx").then((m) => ({ default: m.RenterForm }))),
  merchant: lazy(() => import("../merchant/merchant.form.tsx").then((m) => ({ default: m.MerchantForm }))),
  company: lazy(() => import("../company/company.form.tsx").then((m) => ({ default: m.CompanyForm }))),
} as const;
const ADD = { renter: "16.add", merchant: "106.add", company: "113.add" } as const;

export const mayRegister = (kind: ChoiceKind): boolean => may(ADD[kind]);

/** The form that the list of a kind opens, over the form in which somebody is being chosen. */
export function NewParty({
  kind,
  villageId,
  onMade,
  onClose,
}: {
  kind: ChoiceKind;
  /** Where they are registered, unless somebody chooses another store. */
  villageId: number | undefined;
  onMade: (id: number) => void;
  onClose: () => void;
}) {
  const Form = FORMS[kind];
  return (
    // what is sent here is not the form around it
    <div role="presentation" onSubmit={(event) => event.stopPropagation()}>
      <Suspense fallback={null}>
        <Form villageId={villageId} onMade={onMade} onClose={onClose} />
      </Suspense>
    </div>
  );
}
