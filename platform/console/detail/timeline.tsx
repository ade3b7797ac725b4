import type { ReactNode } from "react";
import { timeInZone } from "../../kernel/day.ts";
import type { Tone } from "../../kernel/field.ts";
import { Empty } from "../parts/states.tsx";

export type Moment = {
  key: string | number;
  /** A moment, or a day. */
  at: string;
  who: string;
  what: ReactNode;
  note?: ReactNode;
  tone?: Tone;
};

type TimelineProps = { moments: readonly Moment[]; emptyText?: string };

/** What happened to a record, newest first. */
export function Timeline({ moments, emptyText = "还没有记录" }: TimelineProps) {
  if (!moments.length) return <Empty text={emptyText} />;
  return (
    <ol className="timeline">
      {moments.map((m) => (
        <li key={m.key} className={m.tone ? `s-${m.tone}` : ""}>
          <div>
            <b>{m.what}</b>
          </div>
          <time dateTime={m.at}>{m.at.length === 10 ? m.at : timeInZone(m.at).slice(0, 16)}</time>
          <span className="dim">{m.who}</span>
          {m.note && <p>{m.note}</p>}
        </li>
      ))}
    </ol>
  );
}
