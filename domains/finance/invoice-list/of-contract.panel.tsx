import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { InvoicesAround } from "./of-bill.panel.tsx";

export default function Invoices({ id }: PanelProps) {
  return <InvoicesAround of={{ contractId: id }} />;
}
