import { Icon } from "../../../platform/console/parts/icons.tsx";
import type { Section } from "./arrange.rules.ts";
import { isLet } from "./board.rules.ts";
import { hasFlag, OCCUPANCY_KEYS } from "./status.rules.ts";

/** The head of a building: its name, a scale of what stands in it, and the counts that matter. */
export function SectionHead({
  section,
  folded,
  onFold,
}: {
  section: Section;
  folded: boolean;
  onFold: (key: string) => void;
}) {
  const of = (occupancy: string) => section.tiles.filter((t) => t.occupancy === occupancy).length;
  const scale = OCCUPANCY_KEYS.map((key) => ({ key, n: of(key) }))
    .filter(({ n }) => n)
    .toSorted((a, b) => b.n - a.n);
  const late = section.tiles.filter((t) => hasFlag(t.flags, "arrears")).length;
  return (
    <div className="rb__head row gap-6 fs-13 sub">
      <button type="button" aria-expanded={!folded} onClick={() => onFold(section.key)}>
        <Icon name={folded ? "right" : "down"} size={12} />
        <b>{section.title}</b>
      </button>
      <span>{section.note}</span>
      <span className="rb__scale" aria-hidden="true">
        {scale.map(({ key, n }) => (
          <i key={key} className={`t-${key}`} style={{ flex: n }} />
        ))}
      </span>
      <span>
        在租 <b>{section.tiles.filter(isLet).length}</b>
      </span>
      <span>
        空置 <b>{of("vacant")}</b>
      </span>
      <span className="rb__less">
        即将到期 <b>{of("expiring")}</b>
      </span>
      {late > 0 && (
        <span className="rb__less">
          欠费 <b>{late}</b>
        </span>
      )}
    </div>
  );
}
