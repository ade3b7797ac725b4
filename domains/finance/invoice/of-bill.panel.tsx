import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { InvoicesAround } from "./around.panel.tsx";

export default function Invoices({ id }: PanelProps) {
  return <InvoicesAround of={{ billId: id }} />;
}
