import { Link } from "react-router";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import "./report.css";

/** An amount that opens the records behind it; nothing stays a quiet zero. */
export const Amount = ({ fen, to, strong }: { fen: Fen; to: string; strong?: boolean }) =>
  fen === 0 ? (
    <Money fen={0} />
  ) : (
    <Link className="amount" to={to}>
      <Money fen={fen} strong={strong} />
    </Link>
  );
