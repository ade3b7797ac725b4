import { numberOf, roomBeside } from "../../kernel/texts/names.ts";
import { NONE } from "./tag.tsx";
import "./kit.css";

/**
 * Rooms as they are read everywhere: the number on the door stands first and is never shortened, where it lies stands behind
 * it. Takes the full name of one room, or several joined by 、; `beside` is the store that has a column of its own.
 */
export function Rooms({ names, beside }: { names: string | null | undefined; beside?: string | null }) {
  if (!names) return NONE;
  const said = beside === undefined ? names : roomBeside(beside, names);
  const all = said.split("、");
  const [first] = all as [string];
  const number = numberOf(first);
  const place = first.slice(0, Math.max(0, first.length - number.length - 1));
  return (
    <span className="rooms" title={names}>
      <span className="rooms__no" data-whole>
        {number}
      </span>
      {all.length > 1 && <span className="rooms__place cut dim">等 {all.length} 间</span>}
      {place && <span className="rooms__place cut dim">{place}</span>}
    </span>
  );
}
