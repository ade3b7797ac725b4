import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { PartyInput } from "./choice.form.tsx";
import type { ChoiceKind } from "./choice.rules.ts";

/** The picker of customers as an input of somebody else's form, for one kind of them. */
export default function PartyPicker({ pick }: PanelProps) {
  if (!pick) return null;
  const { inputId, kind, villageId, value, onChange } = pick;
  return (
    <PartyInput
      id={inputId}
      only={kind as ChoiceKind}
      villageId={villageId}
      value={value}
      onChange={onChange}
    />
  );
}
