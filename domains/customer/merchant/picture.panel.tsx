import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { merchantStrip, merchantWords } from "./merchant.contract.ts";
import { Picture, type Picturing } from "../record/picture.panel.tsx";

/** Floor area by 业态; a click shows its merchants. */
export const MerchantPicture = ({ query, filter }: Picturing) => (
  <Picture call={merchantStrip} query={query}>
    {(data) => (
      <>
        <h3>各业态在租面积</h3>
        {data.length ? (
          <Chart
            kind="bar"
            title="各业态在租面积（㎡）"
            height={240}
            labels={data.map((s) => s.category)}
            series={[{ name: "面积", values: data.map((s) => s.area), tone: "blue" }]}
            onPick={(category) => filter({ category })}
          />
        ) : (
          <Empty text="还没有商户" />
        )}
      </>
    )}
  </Picture>
);

const NOTHING = { categories: [], tags: [] };

/** Words that forms and filters of merchants offer. */
export const useMerchantWords = () =>
  useQuery({ ...ask(merchantWords, {}), staleTime: 60_000 }).data ?? NOTHING;
