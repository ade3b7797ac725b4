import { useGo } from "../../../platform/console/page.ts";

/** A line of a small bar chart: what, how many, how long. It opens its records where the reader may see them. */
export function Line({
  title,
  count,
  note,
  share,
  fill,
  to,
}: {
  title: string;
  count: string;
  note?: string;
  share: number;
  fill: string;
  to?: string | undefined;
}) {
  const go = useGo();
  return (
    <div className="ov__age">
      <span>{title}</span>
      {to ? (
        <button type="button" className="num linkish" onClick={() => go(to)}>
          {count}
        </button>
      ) : (
        <b className="num">{count}</b>
      )}
      <small>{note}</small>
      <small />
      <span className="ov__bar" aria-hidden>
        <i className={`ov__fill--${fill}`} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
    </div>
  );
}
