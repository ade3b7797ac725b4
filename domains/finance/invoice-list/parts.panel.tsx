import { MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import type { Fen } from "../../../platform/kernel/fen.ts";

type Part = { lineId: number; amount: Fen };
type Form = { values: { lines?: readonly Part[] | undefined }; set: (path: string, value: unknown) => void };

/** How much of each line is asked for, up to its `most`. What is typed of a line that somebody else took meanwhile counts no more. */
export function useParts(form: Form, lines: readonly { id: number; most: Fen }[]) {
  const typed = (form.values.lines ?? []).filter((l) => lines.some(({ id }) => id === l.lineId));
  const amountOf = (id: number) => typed.find((l) => l.lineId === id)?.amount;
  const asked = typed.filter((l) => Number.isSafeInteger(l.amount) && l.amount > 0);
  const setAmount = (id: number, amount: Fen | undefined) =>
    form.set(
      "lines",
      lines.flatMap((l) => {
        const part = l.id === id ? amount : amountOf(l.id);
        return part === undefined ? [] : [{ lineId: l.id, amount: part }];
      }),
    );
  return {
    asked,
    over: asked.some((a) => a.amount > (lines.find((l) => l.id === a.lineId)?.most ?? 0)),
    amountOf,
    /** The field of one line. */
    input: (id: number, label: string) => (
      <label>
        <span className="sr">{label}</span>
        <MoneyInput value={amountOf(id)} onChange={(amount) => setAmount(id, amount)} />
      </label>
    ),
    /** Every line whole. */
    whole: () =>
      form.set(
        "lines",
        lines.map((l) => ({ lineId: l.id, amount: l.most })),
      ),
  };
}
