import { useEffect, useRef, useState } from "react";
import type { Tone } from "../kernel/field.ts";
import { IconButton } from "./button.tsx";
import { useDark } from "./theme.ts";

export type Drawing = {
  kind: "bar" | "line" | "pie";
  labels: readonly string[];
  series: readonly { name: string; values: readonly number[]; tone?: Tone; target?: number }[];
  /** Colours of the slices of a pie. */
  tones?: readonly Tone[];
  stacked?: boolean;
  /** A value as people read it, such as fen to yuan; `axis` the same in short. */
  format?: (value: number) => string;
  axis?: (value: number) => string;
};

type Props = Drawing & {
  /** Says what it shows, to screen readers and as the picture's file name. */
  title: string;
  height?: number;
  /** Filters by what was clicked. */
  onPick?: (label: string, index: number, series: string) => void;
};

type Module = typeof import("./chartdraw.ts");

/** Bars, lines or a ring, drawn with the colours of the status table. The library comes only with the first chart. */
export function Chart({ title, height = 220, onPick, ...drawing }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ReturnType<Module["draw"]>>(undefined);
  const pick = useRef(onPick);
  pick.current = onPick;
  const [module, setModule] = useState<Module>();
  const dark = useDark();
  useEffect(() => void import("./chartdraw.ts").then(setModule), []);
  useEffect(() => {
    if (!module || !box.current) return;
    const made = module.draw(box.current);
    chart.current = made;
    made.on("click", (event) => pick.current?.(event.name, event.dataIndex, event.seriesName ?? ""));
    const sized = new ResizeObserver(() => made.resize());
    sized.observe(box.current);
    return () => {
      sized.disconnect();
      made.dispose();
      chart.current = undefined;
    };
  }, [module]);
  const shape = JSON.stringify([
    drawing.kind,
    drawing.labels,
    drawing.series,
    drawing.tones,
    drawing.stacked,
  ]);
  useEffect(() => {
    if (module && chart.current) chart.current.setOption(module.optionOf(drawing), true);
  }, [module, shape, dark]);
  const save = () => {
    const link = document.createElement("a");
    link.href = module?.picture(chart.current) ?? "";
    link.download = `${title}.png`;
    link.click();
  };
  return (
    <figure className="chart" style={{ height }}>
      <div
        ref={box}
        role="img"
        aria-label={title}
        style={{ height, cursor: onPick ? "pointer" : "default" }}
      />
      <span className="chart__save">
        <IconButton icon="download" size={14} small label="保存图片" run={save} />
      </span>
    </figure>
  );
}
