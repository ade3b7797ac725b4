import { Select } from "antd";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { GROUPS } from "./arrange.rules.ts";
import { type Chosen, TINTS, UNITS } from "./tile.rules.ts";

export const Segment = <K extends string>({
  label,
  on,
  items,
  set,
}: {
  label: string;
  on: K;
  items: readonly { key: K; text: string; icon?: IconName }[];
  set: (key: K) => void;
}) => (
  <div className="seg" role="radiogroup" aria-label={label}>
    {items.map((item) => (
      <button
        key={item.key}
        type="button"
        role="radio"
        aria-checked={item.key === on}
        className={item.key === on ? "on" : ""}
        onClick={() => set(item.key)}
      >
        {item.icon && <Icon name={item.icon} size={14} />}
        {item.text}
      </button>
    ))}
  </div>
);

export const choices = <K extends string>(words: Record<K, string>) =>
  (Object.entries(words) as [K, string][]).map(([value, label]) => ({ value, label }));

type Props = {
  chosen: Chosen;
  set: (patch: Partial<Record<keyof Chosen, string | undefined>>) => void;
};

/** By what the tiles are coloured and grouped, and whether a tile is a room or a flat. */
export function Looks({ chosen, set }: Props) {
  const tiles = chosen.view === "tiles";
  return (
    <>
      {tiles && (
        <Select
          aria-label="着色"
          prefix={<span className="lab">着色</span>}
          value={chosen.tint}
          options={choices(TINTS)}
          popupMatchSelectWidth={120}
          onChange={(tint) => set({ tint: tint === "occupancy" ? undefined : tint })}
        />
      )}
      <Select
        aria-label="分组"
        prefix={<span className="lab">分组</span>}
        value={chosen.group}
        options={choices(GROUPS)}
        popupMatchSelectWidth={120}
        onChange={(group) => set({ group: group === "building" ? undefined : group })}
      />
      {tiles && (
        <Segment
          label="单位"
          on={chosen.unit}
          items={choices(UNITS).map(({ value, label }) => ({ key: value, text: label }))}
          set={(unit) => set({ unit: unit === "room" ? undefined : unit })}
        />
      )}
    </>
  );
}
