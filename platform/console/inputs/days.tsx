import { DatePicker } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import {
  addDays,
  addToMonth,
  type Day,
  firstOf,
  lastOf,
  type Month,
  monthOf,
  timeInZone,
} from "../../kernel/day.ts";
import { Icon } from "../parts/icons.tsx";
import { today, useToday } from "../session/operator.ts";
import type { InputProps } from "./inputs.tsx";

const parsed = (day: Day | undefined, format = "YYYY-MM-DD"): Dayjs | null =>
  day ? dayjs(day, format) : null;

/** A business date as `YYYY-MM-DD`, not after `most`. */
export const DayInput = ({
  value,
  onChange,
  placeholder,
  most,
  ...rest
}: InputProps<Day> & { most?: Day }) => (
  <DatePicker
    {...rest}
    value={parsed(value)}
    placeholder={placeholder ?? "请选择日期"}
    {...(most && { maxDate: dayjs(most) })}
    onChange={(d: Dayjs | null) => onChange(d?.format("YYYY-MM-DD"))}
  />
);

export const MonthInput = ({ value, onChange, placeholder, ...rest }: InputProps<Month>) => (
  <DatePicker
    {...rest}
    picker="month"
    value={parsed(value, "YYYY-MM")}
    placeholder={placeholder ?? "请选择月份"}
    onChange={(d: Dayjs | null) => onChange(d?.format("YYYY-MM"))}
  />
);

/** The offset of the business's clocks; China keeps one time and no summer time. */
const OFFSET = "+08:00";

type Bounds = { minDate?: Dayjs; maxDate?: Dayjs; minuteStep?: 30 };

/** A moment as the business's clocks show it, kept with its offset. */
const Moment = ({ value, onChange, placeholder, minuteStep, ...rest }: InputProps<string> & Bounds) => (
  <DatePicker
    {...rest}
    showTime={{ format: "HH:mm", ...(minuteStep && { minuteStep }) }}
    format="YYYY-MM-DD HH:mm"
    value={value ? dayjs(timeInZone(value)) : null}
    placeholder={placeholder ?? "请选择时间"}
    onChange={(d: Dayjs | null) => onChange(d ? `${d.format("YYYY-MM-DDTHH:mm")}:00${OFFSET}` : undefined)}
  />
);

/** What has happened lies in the past, what is `ahead` in the future: by the server's day, whose clock judges the hour. */
export function InstantInput({ ahead = false, ...rest }: InputProps<string> & { ahead?: boolean }) {
  const now = dayjs(useToday());
  return <Moment {...rest} {...(ahead ? { minDate: now } : { maxDate: now.endOf("day") })} />;
}

/** A moment to come, on the half-hour: an appointment. */
export const SlotInput = (props: InputProps<string>) => (
  <Moment {...props} minDate={dayjs(useToday())} minuteStep={30} />
);

type Range = { from?: Day | undefined; to?: Day | undefined };

/** What is chosen at once, as of a day. */
function presetsOf(day: Day): { label: string; value: [Dayjs, Dayjs] }[] {
  const month = monthOf(day);
  const before = addToMonth(month, -1);
  const year = day.slice(0, 4);
  const of = (label: string, from: Day, to: Day) => ({
    label,
    value: [dayjs(from), dayjs(to)] as [Dayjs, Dayjs],
  });
  return [
    of("今天", day, day),
    of("昨天", addDays(day, -1), addDays(day, -1)),
    of("近 7 天", addDays(day, -6), day),
    of("近 30 天", addDays(day, -29), day),
    of("本月", firstOf(month), lastOf(month)),
    of("上月", firstOf(before), lastOf(before)),
    of("本年", `${year}-01-01`, `${year}-12-31`),
  ];
}

type DayRangeProps = { value: Range; onChange: (range: Range) => void; label?: string; disabled?: boolean };

/** From and to, both inclusive; either may be left open. */
export const DayRange = ({ value, onChange, label, disabled }: DayRangeProps) => (
  <DatePicker.RangePicker
    value={[parsed(value.from), parsed(value.to)]}
    allowEmpty={[true, true]}
    disabled={disabled}
    aria-label={label}
    separator="~"
    presets={presetsOf(today())}
    suffixIcon={<Icon name="calendar" size={14} />}
    prefix={label && <span className="lab">{label}</span>}
    placeholder={["开始", "结束"]}
    onChange={(range: [Dayjs | null, Dayjs | null] | null) =>
      onChange({ from: range?.[0]?.format("YYYY-MM-DD"), to: range?.[1]?.format("YYYY-MM-DD") })
    }
  />
);
