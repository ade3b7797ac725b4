import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";

/** How many rooms have which list price, before and after. */
export const Spread = ({ labels, before, after }: { labels: string[]; before: number[]; after: number[] }) =>
  labels.length ? (
    <Chart
      kind="bar"
      title="价格分布"
      height={200}
      labels={labels.map((label) => `${Number(label).toLocaleString("en-US")} 元起`)}
      series={[
        { name: "调整前", values: before, tone: "grey" },
        { name: "调整后", values: after, tone: "blue" },
      ]}
      format={(n) => `${n} 间`}
    />
  ) : (
    <Empty text="没有可调整的房间" />
  );
