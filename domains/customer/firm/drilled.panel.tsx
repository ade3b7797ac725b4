import { Link } from "react-router";
import { Money } from "../../../platform/console/parts/kinds.tsx";

/** An amount that opens the list it is the sum of. */
export const Drilled = ({ fen, to }: { fen: number; to: string | undefined }) =>
  fen && to ? (
    <Link to={to}>
      <Money fen={fen} />
    </Link>
  ) : (
    <Money fen={fen} />
  );
