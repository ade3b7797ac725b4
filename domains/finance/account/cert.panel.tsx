import { addDays } from "../../../platform/kernel/day.ts";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";

/** A certificate that ends within 30 days stands out. */
export function CertDay({ day }: { day: string | null }) {
  const today = useOperator()?.today;
  if (!day) return NONE;
  if (!today || day > addDays(today, 30)) return day;
  return <StatusTag tone={day < today ? "red" : "orange"}>{day}</StatusTag>;
}
