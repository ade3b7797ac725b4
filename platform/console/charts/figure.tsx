import type { ReactNode } from "react";
import { Link } from "react-router";
import { Help } from "../detail/facts.tsx";

type Props = {
  title: string;
  value: ReactNode;
  unit?: string;
  /** Small behind the value: comparison, target. */
  note?: ReactNode;
  help?: ReactNode;
  /** The list that has this count. */
  to?: string;
  run?: () => void;
};

/** One figure: what it is, how much, compared with what. A click opens the records that make it. */
export function Figure({ title, value, unit, note, help, to, run }: Props) {
  const content = (
    <>
      <span>
        {title}
        {help && <Help text={help} />}
      </span>
      <b>{value}</b>
      {unit && <small>{unit}</small>}
      {note && <small>{note}</small>}
    </>
  );
  if (to) {
    return (
      <Link className="figure" to={to}>
        {content}
      </Link>
    );
  }
  if (run) {
    return (
      <button type="button" className="figure" onClick={run}>
        {content}
      </button>
    );
  }
  return <div className="figure">{content}</div>;
}

export const Figures = ({ children }: { children: ReactNode }) => <div className="figures">{children}</div>;
