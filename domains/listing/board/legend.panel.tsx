import { yuan } from "../../../platform/kernel/fen.ts";
import { Help } from "../../../platform/console/detail/facts.tsx";
import type { Figures, Tally } from "./sieve.rules.ts";
import {
  CHARACTER,
  CONDITIONS,
  CONDITION_KEYS,
  FLAGS,
  FLAG_KEYS,
  type Flag,
  OCCUPANCIES,
  OCCUPANCY_KEYS,
  VACANCY_HELP,
} from "../status/status.rules.ts";

/** Marks of the product that have a source today; the others appear with their domains. */
const SHOWN_FLAGS = FLAG_KEYS.filter(
  (flag): flag is Exclude<Flag, "deviceOffline"> => flag !== "deviceOffline",
);

const count = (n: number) => n.toLocaleString("en-US");

const COUNTED = [
  ["total", "总数"],
  ["base", "可租"],
  ["let", "在租"],
] as const;

/** What the rooms come to, of the store or of the part that was chosen; and how many of them the status filters leave. */
export function BoardFigures({
  figures,
  shown,
  note,
  ahead,
}: {
  figures: Figures;
  /** Left out where all of them are shown. */
  shown: number | undefined;
  note: string;
  /** Of a day to come nobody knows who will owe. */
  ahead: boolean;
}) {
  return (
    <div className="rb__figs row gap-14">
      {COUNTED.map(([key, title]) => (
        <div key={key}>
          <span>{title}</span>
          <b>{count(figures[key])}</b>
        </div>
      ))}
      <div>
        <span>
          空置率
          <Help text={VACANCY_HELP} />
        </span>
        <b>{figures.vacancy === null ? "—" : `${(figures.vacancy * 100).toFixed(2)}%`}</b>
      </div>
      <div>
        <span>欠费</span>
        {ahead ? (
          <b>—</b>
        ) : (
          <>
            <b className={figures.arrearsRooms ? "neg" : ""}>{count(figures.arrearsRooms)} 间</b>
            <em>{yuan(figures.arrearsFen)}</em>
          </>
        )}
      </div>
      <div>
        <span>本月到期</span>
        <b>{count(figures.endsThisMonth)}</b>
      </div>
      {shown !== undefined && (
        <div>
          <span>筛选出</span>
          <b>{count(shown)}</b>
        </div>
      )}
      {note && (
        <div className="rb__live">
          <i />
          {note}
        </div>
      )}
    </div>
  );
}

type Axis = "occ" | "cond" | "flag";
type Props = {
  tally: Tally;
  chosen: Record<Axis, readonly string[]>;
  set: (axis: Axis, values: readonly string[]) => void;
  ahead: boolean;
};

/** Three rows, one for each axis: a chip counts and filters. A day to come has no marks. */
export function Legend({ tally, chosen, set, ahead }: Props) {
  const chip = (axis: Axis, key: string, text: string, n: number, swatch: React.ReactNode) => {
    const on = chosen[axis].includes(key);
    return (
      <button
        key={key}
        type="button"
        className={`rb__chip ${on ? "on" : ""}`}
        aria-pressed={on}
        onClick={() => set(axis, on ? chosen[axis].filter((k) => k !== key) : [...chosen[axis], key])}
      >
        {swatch}
        {text}
        <b>{count(n)}</b>
      </button>
    );
  };
  const row = (title: string, chips: React.ReactNode) => (
    <div className="rb__row row gap-2 wrap" role="group" aria-label={title}>
      <span>{title}</span>
      {chips}
    </div>
  );
  const swatch = (looks: string, key: keyof typeof CHARACTER) => (
    <i className={`rb__sw ${looks}`}>{CHARACTER[key]}</i>
  );
  return (
    <div className="grow">
      {row(
        "入住",
        OCCUPANCY_KEYS.map((key) =>
          chip("occ", key, OCCUPANCIES[key][0], tally.occ[key], swatch(`t-${key}`, key)),
        ),
      )}
      {row(
        "状态",
        CONDITION_KEYS.map((key) => {
          const shown = key === "rentable" ? null : swatch(`plain c-${key}`, key);
          return chip("cond", key, CONDITIONS[key][0], tally.cond[key], shown);
        }),
      )}
      {!ahead &&
        row(
          "标记",
          SHOWN_FLAGS.map((key) =>
            chip("flag", key, FLAGS[key][0], tally.flag[key], swatch(`fl s-${FLAGS[key][1]}`, key)),
          ),
        )}
    </div>
  );
}
