import { BarChart, LineChart, PieChart, RadarChart } from "echarts/charts";
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
} from "echarts/components";
import { init, use as register, type EChartsType } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { Tone } from "../../kernel/field.ts";

type Series = {
  name: string;
  /** null: nothing is known of this one. */
  values: readonly (number | null)[];
  tone?: Tone;
  /** Each value's own colour. */
  tones?: readonly Tone[];
  /** A line right across; `mark` is what it is called. */
  target?: number;
  mark?: string;
  /** Drawn as a line over the bars, or as a tick on each bar: what that one should reach. */
  line?: boolean;
  tick?: boolean;
  /** On an axis of its own at the right, read in this way. */
  right?: (value: number) => string;
};
export type Drawing = {
  kind: "bar" | "line" | "pie" | "radar";
  labels: readonly string[];
  series: readonly Series[];
  /** Bars lie on their side, the first on top: for names longer than a bar is wide. */
  across?: boolean;
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
  RadarChart,
  GridComponent,
  TitleComponent,
  TooltipComponent,
  LegendComponent,
  MarkLineComponent,
  RadarComponent,
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
  // as a target line is
  const toneOf = ({ tone: own, tick }: Series): Tone | undefined => own ?? (tick ? "orange" : undefined);
  const common = {
    animationDuration: 160,
    textStyle: { fontFamily: token("font") },
    tooltip: {
      trigger: d.kind === "pie" || d.kind === "radar" ? "item" : "axis",
      backgroundColor: token("bg-float"),
      borderColor: token("line"),
      textStyle: { color: token("text"), fontSize: 12 },
      axisPointer: {
        type: d.kind === "bar" ? "shadow" : "line",
        shadowStyle: { color: token("bg-hover"), opacity: 0.5 },
      },
      valueFormatter: (v: number | null) => (v === null ? "—" : (d.format?.(v) ?? String(v))),
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
  if (d.kind === "radar") {
    const top = Math.max(0, ...d.series.flatMap((s) => s.values.map((v) => v ?? 0)));
    // one value far beyond the others would leave nothing to see of them: it is drawn at the edge and told as it is
    const edge = Math.min(top, d.most ?? top);
    const told = (name: string) => {
      const values = d.series.find((s) => s.name === name)?.values ?? [];
      const read = (v: number | null | undefined) => (typeof v === "number" ? (d.format?.(v) ?? v) : "—");
      return [name, ...d.labels.map((label, i) => `${label}  ${read(values[i])}`)].join("\n");
    };
    return {
      ...common,
      tooltip: {
        ...common.tooltip,
        // names are people's own: no markup is made of them
        renderMode: "richText",
        formatter: ({ name }: { name: string }) => told(name),
      },
      radar: {
        indicator: d.labels.map((name) => ({ name, max: edge, min: 0 })),
        radius: "58%",
        center: ["50%", "54%"],
        axisName: text,
        splitNumber: d.steps ?? 4,
        splitLine: { lineStyle: { color: token("line-soft") } },
        splitArea: { show: false },
        axisLine: { lineStyle: { color: token("line") } },
      },
      series: [
        {
          type: "radar",
          symbolSize: 4,
          data: d.series.map((s, i) => ({
            name: s.name,
            value: s.values.map((v) => v && Math.min(Math.max(v, 0), edge)),
            itemStyle: { color: colour(i, s.tone) },
            lineStyle: { width: 1.8 },
            ...(s.tone && { areaStyle: { opacity: 0.12 } }),
          })),
        },
      ],
    };
  }
  const right = d.series.find((s) => s.right)?.right;
  const names = {
    type: "category",
    data: d.labels,
    axisLabel: text,
    axisLine: { lineStyle: { color: token("line") } },
    axisTick: { show: false },
    boundaryGap: d.kind === "bar",
    ...(d.across && { inverse: true }),
  };
  const amounts = {
    type: "value",
    axisLabel: { ...text, hideOverlap: true, formatter: short },
    ...(d.steps && { splitNumber: d.steps }),
    splitLine: { lineStyle: { color: token("line-soft") } },
    scale: d.kind === "line",
    // a target outside the values must still be seen
    max: (v: { min: number; max: number }) => highest(d, v),
  };
  const shares = right && {
    type: "value",
    min: 0,
    axisLabel: { ...text, hideOverlap: true, formatter: right },
    splitLine: { show: false },
  };
  return {
    ...common,
    grid: d.aligned
      ? { left: 48, right: 64, top: 12, bottom: 22 }
      : { left: 4, right: 12, top: d.series.length > 1 ? 28 : 12, bottom: 4, containLabel: true },
    xAxis: d.across ? amounts : names,
    yAxis: d.across ? names : shares ? [amounts, shares] : amounts,
    series: d.series.map((s, i) => ({
      name: s.name,
      type: s.line || s.tick ? "line" : d.kind,
      data: s.tones
        ? s.values.map((value, at) => ({ value, itemStyle: { color: colour(i, s.tones?.[at]) } }))
        : s.values,
      ...(d.stacked && { stack: "all" }),
      ...(d.stepped && { step: "end" }),
      ...(s.right && {
        yAxisIndex: 1,
        tooltip: { valueFormatter: (v: number | null) => (v === null ? "—" : s.right!(v)) },
      }),
      color: colour(i, toneOf(s)),
      barMaxWidth: 22,
      symbolSize: 5,
      showSymbol: s.values.length < 2,
      lineStyle: { width: 1.8 },
      ...(s.tick && {
        symbol: "rect",
        symbolSize: d.across ? [3, 20] : [20, 3],
        showSymbol: true,
        showAllSymbol: true,
        lineStyle: { opacity: 0 },
        z: 3,
      }),
      itemStyle:
        d.kind === "bar" && !d.stacked && !s.line && !s.tick
          ? { borderRadius: d.across ? [0, 2, 2, 0] : [2, 2, 0, 0] }
          : {},
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
          data: [d.across ? { xAxis: s.target } : { yAxis: s.target }],
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
