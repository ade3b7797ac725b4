import { BarChart, LineChart, PieChart } from "echarts/charts";
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
} from "echarts/components";
import { init, use as register, type EChartsType } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { Tone } from "../../kernel/field.ts";

export type Drawing = {
  kind: "bar" | "line" | "pie";
  labels: readonly string[];
  /** `line` draws one of the bars as a line over them; `mark` is what the target is called. */
  series: readonly {
    name: string;
    values: readonly number[];
    tone?: Tone;
    target?: number;
    mark?: string;
    line?: boolean;
  }[];
  /** Colours of the slices of a pie that are states; without, they are shades of grey. */
  tones?: readonly Tone[];
  stacked?: boolean;
  /** A line whose value holds until the next one, such as a price. */
  stepped?: boolean;
  /** Stands in the middle of a ring. */
  middle?: string;
  /** A value as people read it, such as fen to yuan; `axis` the same in short. */
  format?: (value: number) => string;
  axis?: (value: number) => string;
  /** What no value can be above, such as a whole of 100 %: the axis ends there. */
  most?: number;
  /** About how many steps the axis has, for a low chart. */
  steps?: number;
  /** The same room beside the picture for every chart that has it, so that one stands exactly beneath the other. */
  aligned?: boolean;
};

register([
  BarChart,
  LineChart,
  PieChart,
  GridComponent,
  TitleComponent,
  TooltipComponent,
  LegendComponent,
  MarkLineComponent,
  CanvasRenderer,
]);

/** So many greys from one #rrggbb to another: parts that are no states are told apart without a colour. */
export function shades(from: string, to: string, count: number): string[] {
  const part = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const mixed = (at: number, share: number) =>
    Math.round(part(from, at) + (part(to, at) - part(from, at)) * share)
      .toString(16)
      .padStart(2, "0");
  return Array.from({ length: count }, (_, i) => {
    const share = count > 1 ? i / (count - 1) : 0;
    return `#${mixed(1, share)}${mixed(3, share)}${mixed(5, share)}`;
  });
}

/** The tokens as they stand now: charts are drawn again when the theme changes. */
function ink() {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return { token, tone: (tone: Tone) => token(`${tone}-so`) };
}

/** The end of the axis where the values alone do not give it: a target above them, or what cannot be passed. */
export function highest(d: Pick<Drawing, "series" | "most">, { min, max }: { min: number; max: number }) {
  const targets = d.series.flatMap((s) => (s.target === undefined ? [] : [s.target]));
  const top = Math.max(max, ...targets);
  const air = (top - Math.min(min, top)) / 4;
  if (d.most !== undefined && top + air > d.most) return d.most;
  return top > max ? top + air : null;
}
const valueOf = (d: Drawing, name: string) => d.series[0]?.values[d.labels.indexOf(name)] ?? 0;

export function optionOf(d: Drawing): Record<string, unknown> {
  const { token, tone } = ink();
  const text = { color: token("text-3"), fontSize: 11, fontFamily: token("font") };
  const short = (v: number) => d.axis?.(v) ?? d.format?.(v) ?? String(v);
  const parts = d.kind === "pie" ? d.labels.length : d.series.length;
  // one step more than there are parts: the last would be as faint as a line
  const greys = shades(token("text-2"), token("line"), parts + 1);
  const colour = (i: number, wanted: Tone | undefined) => (wanted ? tone(wanted) : greys[i]!);
  const common = {
    animationDuration: 160,
    textStyle: { fontFamily: token("font") },
    tooltip: {
      trigger: d.kind === "pie" ? "item" : "axis",
      backgroundColor: token("bg-float"),
      borderColor: token("line"),
      textStyle: { color: token("text"), fontSize: 12 },
      axisPointer: {
        type: d.kind === "bar" ? "shadow" : "line",
        shadowStyle: { color: token("bg-hover"), opacity: 0.5 },
      },
      valueFormatter: (v: number) => d.format?.(v) ?? String(v),
    },
    legend:
      d.series.length > 1 || d.kind === "pie"
        ? {
            // more names than fit on a line are leafed through, so that they never lie on the picture
            type: d.kind === "pie" ? "plain" : "scroll",
            right: 0,
            top: 0,
            pageIconSize: 9,
            pageTextStyle: text,
            itemWidth: 8,
            itemHeight: 8,
            icon: "roundRect",
            itemStyle: { borderWidth: 0 },
            textStyle: { ...text, fontSize: 12, color: token("text-2") },
          }
        : undefined,
  };
  if (d.kind === "pie") {
    const values = d.series[0]?.values ?? [];
    return {
      ...common,
      legend: {
        ...common.legend,
        orient: "vertical",
        top: "middle",
        left: "62%",
        formatter: (name: string) => `${name}  ${d.format?.(valueOf(d, name)) ?? valueOf(d, name)}`,
      },
      ...(d.middle && {
        title: {
          text: d.middle,
          left: "30%",
          top: "middle",
          textAlign: "center",
          textStyle: { color: token("text"), fontSize: 16, fontWeight: 600, fontFamily: token("font") },
        },
      }),
      series: [
        {
          type: "pie",
          radius: ["46%", "66%"],
          center: ["30%", "50%"],
          label: { show: false },
          itemStyle: { borderColor: token("bg"), borderWidth: 2 },
          data: d.labels.map((name, i) => ({
            name,
            value: values[i] ?? 0,
            itemStyle: { color: colour(i, d.tones?.[i]) },
          })),
        },
      ],
    };
  }
  return {
    ...common,
    grid: d.aligned
      ? { left: 48, right: 64, top: 12, bottom: 22 }
      : { left: 4, right: 12, top: d.series.length > 1 ? 28 : 12, bottom: 4, containLabel: true },
    xAxis: {
      type: "category",
      data: d.labels,
      axisLabel: text,
      axisLine: { lineStyle: { color: token("line") } },
      axisTick: { show: false },
      boundaryGap: d.kind === "bar",
    },
    yAxis: {
      type: "value",
      axisLabel: { ...text, hideOverlap: true, formatter: short },
      ...(d.steps && { splitNumber: d.steps }),
      splitLine: { lineStyle: { color: token("line-soft") } },
      scale: d.kind === "line",
      // a target outside the values must still be seen
      max: (v: { min: number; max: number }) => highest(d, v),
    },
    series: d.series.map((s, i) => ({
      name: s.name,
      type: s.line ? "line" : d.kind,
      data: s.values,
      ...(d.stacked && { stack: "all" }),
      ...(d.stepped && { step: "end" }),
      color: colour(i, s.tone),
      barMaxWidth: 22,
      symbolSize: 5,
      showSymbol: s.values.length < 2,
      lineStyle: { width: 1.8 },
      itemStyle: d.kind === "bar" && !d.stacked && !s.line ? { borderRadius: [2, 2, 0, 0] } : {},
      ...(s.target !== undefined && {
        markLine: {
          silent: true,
          symbol: "none",
          lineStyle: { type: "dashed", color: tone("orange") },
          label: {
            color: token("orange-fg"),
            fontSize: 11,
            formatter: `${s.mark ?? "目标"} ${short(s.target)}`,
          },
          data: [{ yAxis: s.target }],
        },
      }),
    })),
  };
}

/** The chart as a picture on the page's own ground. */
export const picture = (chart: EChartsType | undefined): string =>
  chart?.getDataURL({ type: "png", pixelRatio: 2, backgroundColor: ink().token("bg") }) ?? "";

export const draw = (box: HTMLDivElement): EChartsType => init(box);
export type { EChartsType };
