import type { CSSProperties } from "react";
import type { Fen } from "../../kernel/fen.ts";
import { Money } from "../parts/kinds.tsx";
import { type Fallen, fallOf } from "./fall.ts";

const COLOURS = { up: "var(--green-so)", down: "var(--red-so)", end: "var(--blue-so)" } as const;
const BAR: CSSProperties = { height: "var(--size-12)", borderRadius: "var(--r-xs)" };

type Props = {
  title: string;
  lines: readonly Fallen[];
  /** What they come to; it ends `at` the same, or below nothing where its amount is shown without the sign. */
  end: Fallen & { at: Fen };
  /** What was there before the first of them. */
  base?: Fen;
};

/** From the first line through each to the one number: every bar begins where the one before ended. */
export function Waterfall({ title, lines, end, base = 0 }: Props) {
  if (!lines.length) return null;
  return (
    <section className="stack gap-4" aria-label={title}>
      {fallOf(lines, end, base).map(({ title, amount, left, width, look }, i) => (
        <div key={i} className="stack gap-1 fs-13">
          <div className="row between gap-6">
            <span className="cut" title={title}>
              {title}
            </span>
            <Money fen={amount} />
          </div>
          <div aria-hidden="true" style={{ ...BAR, background: "var(--bg-track)" }}>
            <div
              style={{
                ...BAR,
                background: COLOURS[look],
                marginInlineStart: `${left}%`,
                width: `${width}%`,
                minWidth: "var(--hair)",
              }}
            />
          </div>
        </div>
      ))}
    </section>
  );
}
