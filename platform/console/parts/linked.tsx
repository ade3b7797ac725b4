import type { ReactNode } from "react";
import { Link } from "react-router";

/** What a record is called, as the way to its page where somebody may open that (`reach`). */
export const linked = (to: string | undefined, text: ReactNode): ReactNode =>
  to ? <Link to={to}>{text}</Link> : text;
