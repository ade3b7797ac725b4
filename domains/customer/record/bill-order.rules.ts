type Bill = { id: number; dueDate: string; outstanding: number };

/** Bills of a customer: what is owed first, the oldest due day above; then what is settled, the newest above. */
export function unpaidFirst(a: Bill, b: Bill): number {
  const [owedA, owedB] = [a.outstanding > 0, b.outstanding > 0];
  if (owedA !== owedB) return owedA ? -1 : 1;
  return (owedA ? 1 : -1) * a.dueDate.localeCompare(b.dueDate) || b.id - a.id;
}
