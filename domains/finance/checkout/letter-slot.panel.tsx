import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import type { Chosen } from "./letter.contract.ts";
import { LetterForm } from "./letter.form.tsx";

/** 打印催缴函 for a page of another domain. */
const Letters = ({ of, onClose }: PanelProps) => (
  <LetterForm of={of as Chosen} onClose={onClose ?? (() => {})} />
);
export default Letters;
