import { Link } from "react-router";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { MonthInput } from "../../../platform/console/inputs/days.tsx";
import { shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { type Patch, pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { ratioTone } from "./statement.rules.ts";
import { salesMatrix } from "./statement.contract.ts";

type Matrix = Reply<typeof salesMatrix>;
type Shop = Matrix["shops"][number];

const percent = (ratio: number) => `${(ratio * 100).toFixed(1)}%`;
const daysOf = (month: string) => ({ monthFrom: firstOf(month), monthTo: lastOf(month) });
/** The statements behind a figure. */
const statementsAt = (query: Record<string, string>) =>
  pathTo(KINDS.merchant.path, { list: "sales", ...query });

/** What all shops of the filter sold in twelve months, with what both rules ask for it; a month opens its statements. */
export function SalesPicture({
  query,
  filter,
}: {
  query: Record<string, unknown>;
  filter: (patch: Patch) => void;
}) {
  const known = shapeOf(salesMatrix.query);
  const sent = Object.fromEntries(Object.entries(query).filter(([key]) => key in known));
  return (
    <Loaded call={salesMatrix} sent={{ query: sent }} lines={6}>
      {({ months }) => (
        <div className="pic">
          <h3>近 12 个月营业额与租金</h3>
          <Chart
            kind="bar"
            title="近 12 个月营业额与租金（元）"
            height={220}
            labels={months.map((m) => m.month)}
            format={(n) => n.toLocaleString("en-US")}
            series={[
              { name: "净额", values: months.map((m) => m.net / 100), tone: "blue" },
              { name: "保底", values: months.map((m) => (m.base ?? 0) / 100), tone: "gold", line: true },
              { name: "提成", values: months.map((m) => (m.share ?? 0) / 100), tone: "green", line: true },
            ]}
            onPick={(_, i) => filter(daysOf(months[i]!.month))}
          />
          <p className="dim pic__note">保底和提成只含已确认的月份；点击按月份筛选</p>
        </div>
      )}
    </Loaded>
  );
}

const Cells = ({ shop, months }: { shop: Shop; months: Matrix["months"] }) =>
  months.toReversed().map(({ month }) => {
    const cell = shop.cells.find((c) => c.month === month);
    if (!cell)
      return (
        <td key={month} className="num dim">
          {NONE}
        </td>
      );
    const tone = ratioTone(cell.ratio);
    const shown = cell.ratio === null ? "待确认" : percent(cell.ratio);
    return (
      <td key={month} className={`num ${tone ? `tinted s-${tone}` : ""}`}>
        <Link
          to={statementsAt({ keyword: shop.contractNo, ...daysOf(month) })}
          title={`${month} 净额 ${yuan(cell.net)} 元`}
          aria-label={`${shop.roomNames} ${month} 租售比 ${shown}`}
        >
          {shown}
        </Link>
      </td>
    );
  });

/** 租售比: shop by shop and month by month, the newest first, what the rent is of the sales; every figure opens its statements. */
export function RatioMap() {
  const [address, set] = useAddress();
  const villages = (address.get("villageIds") ?? "").split(",").filter(Boolean).map(Number);
  const until = address.get("until") ?? undefined;
  const query = { ...(villages.length && { villageIds: villages.join(",") }), ...(until && { until }) };
  return (
    <section className="stack gap-8 scroll">
      <div className="row wrap gap-6">
        <VillagesSelect
          value={villages}
          onChange={(ids) => set({ villageIds: ids.join(",") || undefined })}
        />
        <MonthInput
          value={until}
          onChange={(month) => set({ until: month ?? undefined })}
          placeholder="截至月份"
        />
        <span className="dim fs-13">
          租售比 = 已确认月份的租金 ÷ 净额：绿 10% 以内，黄 10%-20%，橙 20%-30%，红 30% 以上
        </span>
      </div>
      <Loaded call={salesMatrix} sent={{ query: query as never }} lines={10}>
        {({ months, shops, total }) =>
          shops.length === 0 ? (
            <Empty text="这 12 个月没有营业额申报" />
          ) : (
            <div className="scroll">
              <table className="tbl">
                <caption className="sr">租售比</caption>
                <thead>
                  <tr>
                    <th scope="col">铺位</th>
                    <th scope="col">商户</th>
                    <th scope="col" className="num">
                      净额
                    </th>
                    <th scope="col" className="num">
                      租售比
                    </th>
                    {months.toReversed().map(({ month }) => (
                      <th key={month} scope="col" className="num">
                        <Link to={statementsAt({ ...query, ...daysOf(month) } as never)}>{month}</Link>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {shops.map((shop) => (
                    <tr key={shop.contractId}>
                      <th scope="row" data-whole>
                        <Link to={pathTo(KINDS.merchant.path, { id: shop.contractId })}>
                          {shop.roomNames}
                        </Link>
                      </th>
                      <td>
                        <PartyLink shop={shop} />
                      </td>
                      <td className="num">
                        <Link
                          to={statementsAt({
                            keyword: shop.contractNo,
                            monthFrom: firstOf(months[0]!.month),
                            monthTo: lastOf(months.at(-1)!.month),
                          })}
                        >
                          {yuan(shop.net)}
                        </Link>
                      </td>
                      <td className="num">{shop.ratio === null ? NONE : percent(shop.ratio)}</td>
                      <Cells shop={shop} months={months} />
                    </tr>
                  ))}
                </tbody>
              </table>
              {total > shops.length && (
                <p className="dim fs-13">
                  共 {total} 间铺位，按净额显示前 {shops.length} 间
                </p>
              )}
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

const PartyLink = ({ shop }: { shop: Shop }) => {
  const to = reach(PARTY_PAGE["merchant"]!, { id: shop.partyId, part: "turnover" });
  return to ? <Link to={to}>{shop.partyName}</Link> : <>{shop.partyName}</>;
};
