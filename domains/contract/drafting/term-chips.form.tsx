import { endAfter } from "../schedule/months.rules.ts";
import { boundsText, termBounds, termWrong } from "../terms/product.rules.ts";
import type { Draft } from "./draft.form.tsx";
import { mainCard } from "./offered.rules.ts";

const QUICK = [3, 6, 12, 24] as const;

/** How many of the usual months a term is; nothing for a term of one's own. */
export const usualMonths = (start: string, end: string): number | undefined =>
  QUICK.find((n) => endAfter(start, n) === end);

/** Usual terms, with the shortest and longest that the room's product is let for; what lies outside cannot be chosen. */
export function TermChips({ draft, setStart }: { draft: Draft; setStart: (start: string) => void }) {
  const { form, patch, cards, data } = draft;
  const room = mainCard(form.rooms, cards);
  const bounds = termBounds(room);
  const months = [...new Set([...QUICK, bounds.min, bounds.max])]
    .filter((n): n is number => n !== null)
    .toSorted((a, b) => a - b);
  const text = boundsText(bounds);
  const outside =
    form.start && form.end && form.end >= form.start && termWrong(bounds, form.start, form.end) !== undefined;
  return (
    <div className="fi fi--wide">
      <span className="fi__label">租期</span>
      <div>
        <div className="pick">
          {months.map((n) => {
            const wrong = form.start ? termWrong(bounds, form.start, endAfter(form.start, n)) : undefined;
            return (
              <button
                key={n}
                type="button"
                disabled={!form.start || wrong !== undefined}
                title={wrong}
                className={form.start && form.end === endAfter(form.start, n) ? "on" : ""}
                onClick={() => patch({ end: endAfter(form.start!, n) })}
              >
                {n} 个月
              </button>
            );
          })}
          {!form.start && data && (
            <button type="button" onClick={() => setStart(data.today)}>
              从今天起租
            </button>
          )}
        </div>
        {room && text && (
          <p className={outside ? "neg" : "dim"}>
            {room.minTermMonths || !room.product ? room.name : room.product.name} 的租期为 {text}
          </p>
        )}
      </div>
    </div>
  );
}
