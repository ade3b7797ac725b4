import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { SentLink } from "../../../platform/console/parts/sent-link.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { ConfirmForm, DeclareForm } from "./confirm.form.tsx";
import { MonthTable, type ShopMonth } from "./months.panel.tsx";
import { RENT_KINDS } from "../terms/terms.contract.ts";
import { sendSalesLink } from "./link.contract.ts";
import { turnoverMonths } from "./statement.contract.ts";
import "../contract/contract.css";

export type Shop = Reply<typeof turnoverMonths>[number];
type Open = { kind: "declare" | "confirm"; shop: Shop; month: ShopMonth };
type Sent = Reply<typeof sendSalesLink>;

/** What a merchant's shops turned over, month by month, what it costs by each rule, and the bills. */
export default function MerchantTurnover({ id }: { id: number }) {
  return <Turnover of={{ merchantId: id }} />;
}

/** The same of all shops of a merchant, or of the shop of one contract. */
export function Turnover({ of }: { of: { merchantId: number } | { contractId: number } }) {
  const { data, error, refetch } = useQuery(ask(turnoverMonths, { query: of }));
  const [open, setOpen] = useState<Open>();
  const [sent, setSent] = useState<Sent>();
  const act = useAct();
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  if (!data.length) return <Empty text="还没有生效的合同" />;
  const close = () => setOpen(undefined);
  return (
    <>
      {data.map((shop) => (
        <section key={shop.contractId} className="turnover">
          <Head shop={shop} />
          <Picture shop={shop} />
          <MonthTable
            months={shop.months}
            declare={(month) => setOpen({ kind: "declare", shop, month })}
            confirm={(month) => setOpen({ kind: "confirm", shop, month })}
            sendLink={async ({ no: monthNo }) =>
              setSent(
                await act(
                  sendSalesLink,
                  { body: { contractId: shop.contractId, monthNo } },
                  { done: "申报链接已发送" },
                ),
              )
            }
          />
        </section>
      ))}
      {open?.kind === "declare" && (
        <DeclareForm contractId={open.shop.contractId} month={open.month} onClose={close} />
      )}
      {open?.kind === "confirm" && <ConfirmForm month={open.month} onClose={close} />}
      {sent && <SentLink title="营业额申报链接" sent={sent} onClose={() => setSent(undefined)} />}
    </>
  );
}

const Head = ({ shop }: { shop: Shop }) => (
  <h3 className="row wrap gap-4">
    {shop.roomNames}
    <WordTag words={RENT_KINDS} code={shop.rentKind} />
    <small className="dim">
      {[
        shop.contractNo,
        shop.rates && `扣点 ${shop.rates}`,
        shop.breakEven !== null && `营业额超过 ${yuan(shop.breakEven)} 元开始补差`,
        shop.declareDay !== null && `每月 ${shop.declareDay} 日前申报`,
      ]
        .filter(Boolean)
        .join("，")}
    </small>
  </h3>
);

/** The last twelve months that were declared, oldest first. */
function Picture({ shop }: { shop: Shop }) {
  const told = shop.months
    .filter((m) => m.declared !== null)
    .slice(0, 12)
    .toReversed();
  const go = useGo();
  if (told.length < 2) return null;
  const series = (name: string, of: (m: ShopMonth) => number | null, tone: "blue" | "gold" | "green") => ({
    name,
    values: told.map((m) => (of(m) ?? 0) / 100),
    tone,
  });
  return (
    <Chart
      kind="bar"
      title={`${shop.roomNames} 营业额与租金（元）`}
      height={200}
      labels={told.map((m) => m.month)}
      series={[
        {
          ...series("营业额净额", (m) => m.audited ?? m.declared, "blue"),
          ...(shop.breakEven !== null && { target: shop.breakEven / 100, mark: "盈亏平衡" }),
        },
        { ...series("保底", (m) => m.base, "gold"), line: true },
        { ...series("提成", (m) => m.share, "green"), line: true },
      ]}
      onPick={(_, i) => {
        const { month } = told[i]!;
        const days = { monthFrom: firstOf(month), monthTo: lastOf(month) };
        if (reach(KINDS.merchant.path, {}))
          go(KINDS.merchant.path, { list: "sales", keyword: shop.contractNo, ...days });
      }}
    />
  );
}
