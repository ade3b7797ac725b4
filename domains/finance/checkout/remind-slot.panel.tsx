import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import type { Whom } from "./remind.contract.ts";
import { RemindForm } from "./remind.form.tsx";

/** 催缴 for a page of another domain. */
const Remind = ({ of, onClose }: PanelProps) => (
  <RemindForm title="催缴" whom={of as Whom} onClose={onClose ?? (() => {})} />
);
export default Remind;
