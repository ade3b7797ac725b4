import { IconButton } from "../../../platform/console/parts/button.tsx";
import { DayInput, DayRange } from "../../../platform/console/inputs/days.tsx";
import { DistrictsSelect, VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Words } from "../../../platform/kernel/field.ts";
import { neighbour, periodName, type Chosen } from "./chosen.panel.tsx";
import { AGAINST, BASES, GRAINS } from "./overview.rules.ts";

/** A few words of which one holds. */
function Choice<K extends string>({
  label,
  words,
  on,
  onChange,
}: {
  label: string;
  words: Words<K>;
  on: K;
  onChange: (key: K) => void;
}) {
  return (
    <div className="seg" role="radiogroup" aria-label={label}>
      {(Object.keys(words) as K[]).map((key) => (
        <button
          key={key}
          type="button"
          role="radio"
          aria-checked={key === on}
          className={key === on ? "on" : ""}
          onClick={() => onChange(key)}
        >
          {words[key][0]}
        </button>
      ))}
    </div>
  );
}

/** Districts, stores, period, the day that is looked back from, what it is compared with, and the way to the wall screen. */
export function Head({
  chosen,
  onWall,
  onPicture,
}: {
  chosen: Chosen;
  onWall: () => void;
  onPicture: () => Promise<void>;
}) {
  const { grain, period, against, basis, villages, set } = chosen;
  return (
    <div className="ov__head row wrap" data-picture="off">
      <DistrictsSelect
        width={116}
        value={villages}
        onChange={(ids) => set({ villageIds: ids.join(",") || undefined })}
      />
      <VillagesSelect
        value={villages}
        prefix="门店"
        width={150}
        onChange={(ids) => set({ villageIds: ids.join(",") || undefined })}
      />
      <Choice
        label="期间"
        words={GRAINS}
        on={grain}
        onChange={(key) => set({ grain: key === "month" ? undefined : key, from: undefined, to: undefined })}
      />
      {grain === "range" ? (
        <DayRange
          label="期间"
          value={period}
          onChange={({ from, to }) => set({ from: from ?? undefined, to: to ?? undefined })}
        />
      ) : (
        <span className="ov__period">
          <IconButton
            icon="left"
            small
            label="上一期"
            run={() => set({ from: neighbour(grain, period.from, -1) })}
          />
          <b>{periodName(grain, period)}</b>
          <IconButton
            icon="right"
            small
            label="下一期"
            why={period.to >= chosen.today ? "已是当前期间" : undefined}
            run={() => set({ from: neighbour(grain, period.from, 1) })}
          />
        </span>
      )}
      <span className="ov__pair">
        <small>对比</small>
        <Choice
          label="对比"
          words={AGAINST}
          on={against}
          onChange={(key) => set({ against: key === "target" ? undefined : key })}
        />
      </span>
      <span className="ov__pair">
        <small>口径</small>
        <Choice
          label="口径"
          words={BASES}
          on={basis}
          onChange={(key) => set({ basis: key === "incomeAccrued" ? undefined : key })}
        />
      </span>
      <label className="ov__pair ov__asof">
        <small>截至</small>
        <DayInput
          value={chosen.asOf}
          most={chosen.today}
          onChange={(day) => set({ asOf: day && day < chosen.today ? day : undefined })}
        />
      </label>
      <IconButton icon="download" label="整页保存图片" run={onPicture} />
      <IconButton icon="screen" label="投屏" run={onWall} />
    </div>
  );
}
