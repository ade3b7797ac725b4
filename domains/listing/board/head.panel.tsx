import { DatePicker, Popover, Select } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import { addDays, maxDay, type Day } from "../../../platform/kernel/day.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { type Chosen, DENSITIES, VIEWS, type View, TINTS, UNITS } from "./tile.rules.ts";
import { GROUPS } from "./arrange.rules.ts";

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

type LooksProps = {
  chosen: Chosen;
  set: (patch: Partial<Record<keyof Chosen, string | undefined>>) => void;
};

/** By what the tiles are coloured and grouped, and whether a tile is a room or a flat. */
export function Looks({ chosen, set }: LooksProps) {
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

type Props = {
  chosen: Chosen;
  today: Day;
  openingDay: Day | undefined;
  set: (patch: Partial<Record<keyof Chosen, string | number | undefined>>) => void;
  onPrint: () => void;
  full: boolean;
  onFull: () => void;
  onExport: () => unknown;
};

/** Village, day, and how the board is to look. */
export function BoardHead({ chosen, today, openingDay, set, onPrint, full, onFull, onExport }: Props) {
  const { data: villages = [] } = useVillages();
  const options = [...(villages.length > 1 ? [{ value: 0, label: "全部门店" }] : []), ...villages];
  const tiles = chosen.view === "tiles";
  return (
    <div className="rb__bar row gap-3">
      <Select
        className="rb__village"
        aria-label="门店"
        value={chosen.villageId ?? 0}
        options={options}
        showSearch={{ optionFilterProp: "label" }}
        prefix={<Icon name="building" size={14} />}
        onChange={(id) => set({ villageId: id })}
      />
      <DayTravel chosen={chosen} today={today} openingDay={openingDay} set={set} />
      {chosen.villageId !== undefined && (
        <>
          <Segment
            label="视图"
            on={chosen.view}
            items={(Object.keys(VIEWS) as View[]).map((key) => ({
              key,
              text: VIEWS[key][0],
              icon: VIEWS[key][1],
            }))}
            set={(view) => set({ view: view === "tiles" ? undefined : view })}
          />
          {tiles && (
            <Segment
              label="密度"
              on={chosen.density}
              items={choices(DENSITIES).map(({ value, label }) => ({ key: value, text: label }))}
              set={(density) => set({ density })}
            />
          )}
          {chosen.view !== "list" && (
            <>
              <span className="rb__wide row">
                <Looks chosen={chosen} set={set} />
              </span>
              <Popover
                trigger="click"
                placement="bottomRight"
                content={
                  <div className="rb__looks grid gap-4">
                    <Looks chosen={chosen} set={set} />
                  </div>
                }
              >
                <button type="button" className="btn rb__narrow">
                  显示
                  <Icon name="down" size={12} />
                </button>
              </Popover>
            </>
          )}
        </>
      )}
      <span className="grow" />
      {chosen.villageId !== undefined && (
        <span className="rb__tools row gap-0">
          {tiles && <CompareDay chosen={chosen} today={today} openingDay={openingDay} set={set} />}
          <IconButton icon="expand" label={full ? "退出全屏" : "全屏"} run={onFull} />
          {tiles && <IconButton icon="print" label="打印" run={onPrint} />}
          {may("3.export") && chosen.view !== "list" && (
            <IconButton icon="download" label="导出" run={onExport} />
          )}
        </span>
      )}
    </div>
  );
}

type Travel = Pick<Props, "chosen" | "today" | "openingDay" | "set">;
const AHEAD_DAYS = 365;

const outside = (d: Dayjs, today: Day, openingDay: Day | undefined) => {
  const day = d.format("YYYY-MM-DD");
  return day > addDays(today, AHEAD_DAYS) || (openingDay !== undefined && day < openingDay);
};

function DayTravel({ chosen, today, openingDay, set }: Travel) {
  const day = chosen.day ?? today;
  const go = (to: Day) => set({ day: to === today ? undefined : to });
  return (
    <div className="rb__days">
      <IconButton
        icon="left"
        label="前一天"
        size={14}
        why={openingDay && day <= openingDay ? "已到开业日" : undefined}
        run={() => go(openingDay ? maxDay(addDays(day, -1), openingDay) : addDays(day, -1))}
      />
      <DatePicker
        aria-label="查看日期"
        variant="borderless"
        allowClear={false}
        suffixIcon={null}
        prefix={<Icon name="calendar" size={14} />}
        value={dayjs(day, "YYYY-MM-DD")}
        disabledDate={(d: Dayjs) => outside(d, today, openingDay)}
        onChange={(d: Dayjs | null) => d && go(d.format("YYYY-MM-DD"))}
      />
      {chosen.day === undefined || chosen.day === today ? (
        <em>今天</em>
      ) : (
        <button type="button" className="linkish" onClick={() => go(today)}>
          回到今天
        </button>
      )}
      <IconButton
        icon="right"
        label="后一天"
        size={14}
        why={day >= addDays(today, AHEAD_DAYS) ? "最多查看一年以后" : undefined}
        run={() => go(addDays(day, 1))}
      />
    </div>
  );
}

function CompareDay({ chosen, today, openingDay, set }: Travel) {
  if (chosen.compare)
    return (
      <Button label={`取消与 ${chosen.compare} 对比`} run={() => set({ compare: undefined })}>
        {chosen.compare.slice(5)}
        <Icon name="close" size={12} />
      </Button>
    );
  return (
    <DatePicker
      className="rb__vs"
      aria-label="对比日"
      placeholder="对比日"
      suffixIcon={null}
      value={null}
      disabledDate={(d: Dayjs) =>
        outside(d, today, openingDay) || d.format("YYYY-MM-DD") === (chosen.day ?? today)
      }
      onChange={(d: Dayjs | null) => d && set({ compare: d.format("YYYY-MM-DD") })}
    />
  );
}
