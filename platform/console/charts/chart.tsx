import { useEffect, useRef, useState } from "react";
import { IconButton } from "../parts/button.tsx";
import { Broken } from "../parts/states.tsx";
import { timed } from "../screens/load.tsx";
import type * as drawn from "./chart-drawing.ts";
import { useDark } from "../brand/theme.ts";

type Props = drawn.Drawing & {
  /** Says what it shows, to screen readers and as the picture's file name. */
  title: string;
  height?: number;
  /** Filters by what was clicked. */
  onPick?: (label: string, index: number, series: string) => void;
};

type Module = typeof drawn;

/** Bars, lines or a ring, drawn with the colours of the status table. The library comes only with the first chart. */
export function Chart({ title, height = 220, onPick, ...drawing }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ReturnType<Module["draw"]>>(undefined);
  const shown = useRef("");
  const pick = useRef(onPick);
  pick.current = onPick;
  const [module, setModule] = useState<Module>();
  const [lost, setLost] = useState<unknown>();
  const dark = useDark();
  useEffect(() => void timed(() => import("./chart-drawing.ts"))().then(setModule, setLost), []);
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
      shown.current = "";
    };
  }, [module]);
  useEffect(() => {
    const now = JSON.stringify([dark, drawing.kind, drawing.labels, drawing.series, drawing.tones]);
    if (!module || !chart.current || shown.current === now) return;
    shown.current = now;
    chart.current.setOption(module.optionOf(drawing), true);
  });
  const save = () => {
    const link = document.createElement("a");
    link.href = module?.picture(chart.current) ?? "";
    link.download = `${title}.png`;
    link.click();
  };
  if (lost !== undefined) return <Broken error={lost} retry={() => location.reload()} />;
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
