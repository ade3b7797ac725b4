/** A line of a small bar chart: what, how many, how long. It opens its records where there are some to see. */
export function Line({
  title,
  count,
  note,
  share,
  fill,
  run,
}: {
  title: string;
  count: string;
  note?: string;
  share: number;
  fill: string;
  run?: (() => void) | undefined;
}) {
  return (
    <div className="ov__age">
      <span>{title}</span>
      {run ? (
        <button type="button" className="num linkish" onClick={run}>
          <span className="sr">{title} </span>
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
