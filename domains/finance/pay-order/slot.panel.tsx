import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { CodeDialog } from "./code.panel.tsx";
import type { Coded } from "./pay-order.contract.ts";

/** 收款码 for a page of another domain. */
const Code = ({ of, onClose }: PanelProps) => (
  <CodeDialog {...(of as Coded)} onClose={onClose ?? (() => {})} />
);
export default Code;
