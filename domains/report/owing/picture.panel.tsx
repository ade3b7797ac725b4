import { useQuery } from "@tanstack/react-query";
import type { Tone } from "../../../platform/kernel/field.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { owingSummary } from "./owing.contract.ts";
import { AGES, type Age } from "./owing.rules.ts";
import "../lock/report.css";

const TONES: Record<Age, Tone> = {
  d30: "grey",
  d60: "cyan",
  d90: "blue",
  d180: "gold",
  d365: "orange",
  over: "red",
};
const SHOWN = 8;
/** 1234567 fen → 1.2万, for an axis. */
export const short = (fen: number): string => {
  const whole = Math.abs(fen) / 100;
  return whole >= 10_000 ? `${Number((fen / 1_000_000).toFixed(1))}万` : String(Math.round(fen / 100));
};

type OwingPictureProps = { query: Record<string, unknown>; filter: (patch: Patch) => void };

/** Ageing of each store, and how the arrears grew over twelve months: from the same day and stores as the table. */
export function OwingPicture({ query, filter }: OwingPictureProps) {
  const { villageIds, day } = query as { villageIds?: string; day?: string };
  const { data, error, refetch } = useQuery(
    ask(owingSummary, { query: { ...(villageIds && { villageIds }), ...(day && { day }) } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const villages = data.villages.filter((v) => v.owed !== 0).slice(0, SHOWN);
  const rest = data.villages.filter((v) => v.owed !== 0).length - villages.length;
  return (
    <div className="picture">
      <h3>
        各门店账龄
        <small>{rest > 0 ? `欠费最多的 ${SHOWN} 个门店` : "点击柱形查看该门店该账龄"}</small>
      </h3>
      <Chart
        kind="bar"
        stacked
        title="各门店账龄"
        height={260}
        labels={villages.map((v) => v.name)}
        series={AGES.filter(({ key }) => villages.some((v) => v[key] !== 0)).map(({ key, words }) => ({
          name: words,
          values: villages.map((v) => v[key]),
          tone: TONES[key],
        }))}
        format={yuan}
        axis={short}
        onPick={(_, index, series) =>
          filter({ villageIds: villages[index]?.villageId, ages: AGES.find((a) => a.words === series)?.key })
        }
      />
      <h3>近 12 个月月末欠费</h3>
      <Chart
        kind="line"
        title="近 12 个月月末欠费"
        height={180}
        labels={data.months.map((m) => m.day.slice(2, 7))}
        series={[{ name: "欠费", values: data.months.map((m) => m.owed), tone: "red" }]}
        format={yuan}
        axis={short}
        onPick={(_, index) => filter({ day: data.months[index]?.day })}
      />
    </div>
  );
}
