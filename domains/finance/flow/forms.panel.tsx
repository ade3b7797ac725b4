import { AllocateForm } from "./allocate.form.tsx";
import { ConfirmForm } from "./confirm.form.tsx";
import type { FormName } from "./flow-actions.panel.tsx";

export type OpenForm = { what: FormName; id: number };

/** The form that stands open over the list of flows. */
export function FlowForms({ form, onClose }: { form: OpenForm | undefined; onClose: () => void }) {
  if (!form) return null;
  return form.what === "confirm" ? (
    <ConfirmForm id={form.id} onClose={onClose} />
  ) : (
    <AllocateForm id={form.id} onClose={onClose} />
  );
}
