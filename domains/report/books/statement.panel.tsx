import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Waterfall } from "../../../platform/console/charts/waterfall.tsx";
import { declared } from "../../../platform/console/filter/filter.ts";
import { Filters } from "../../../platform/console/filter/filters.tsx";
import { TabRight } from "../../../platform/console/list/tab-page.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Amount, Locks } from "../lock/lock.panel.tsx";
import { financeReport, type ReportLine } from "./books.contract.ts";
import { BOOKS } from "./books.rules.ts";

export type Shown = {
  villageIds: string | null;
  /** Of head office alone. */
  head: string | null;
  /** Nothing: from the beginning on. */
  from: string | undefined;
  to: string;
};

/** The entries of an account in a period, all of them or of some events. */
export const entriesOf = (account: string, shown: Shown, events?: readonly string[]): string =>
  pathTo(BOOKS, { list: "journal", account, ...shown, event: events });

/** Where a line of 总表 is looked at more closely: the report of just this where there is one, else its entries. */
export function placeOf({ key, account, events }: ReportLine, shown: Shown): string | undefined {
  const { head, ...range } = shown;
  const report = head === "true" ? undefined : REPORTS[key];
  return (report && reach(report, range)) ?? (account ? entriesOf(account, shown, events) : undefined);
}
const REPORTS: Readonly<Record<string, string>> = {
  received: "/report/dailyCollectionReport",
};

export const RANGE_FILTERS = ["villageIds", "from", "head"] as const;
export const queryOf = (address: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    ["villageIds", "from", "to", "head"].flatMap((key) =>
      address.get(key) ? [[key, address.get(key)!]] : [],
    ),
  );

type Columns = Record<"now" | "before" | "year", { from: string; to: string }>;
const COLUMNS = [
  ["now", "本期"],
  ["before", "上期"],
  ["year", "本年累计"],
] as const;
const PADDED: CSSProperties = { padding: "var(--space-8)" };
/** Bars are of what came and went: what did not move is left out. */
const END = ["opening", "closing"];

/** 总表: 资金收支 (R3), 债权债务 and 损益 (R8), this period beside the one before and the year. */
export function Statement() {
  const [address, set] = useAddress();
  const { data, error, refetch } = useQuery({
    ...ask(financeReport, { query: queryOf(address) as never }),
    placeholderData: keepPreviousData,
  });
  const villageIds = address.get("villageIds");
  const of = { villageIds, head: address.get("head") };
  const terms = data?.money.filter(({ key }) => !END.includes(key)) ?? [];
  const [opening, closing] = [data?.money[0]?.now ?? 0, data?.money.at(-1)?.now ?? 0];
  return (
    <div className="report">
      {data && (
        <TabRight>
          <Locks beside villageIds={villageIds} from={data.now.from} to={data.now.to} />
        </TabRight>
      )}
      <div className="stack gap-6 full scroll">
        <Filters filters={declared(financeReport, RANGE_FILTERS)} params={address} set={set} />
        {error && !data ? (
          <Broken error={error} retry={refetch} />
        ) : !data ? (
          <RowsSkeleton rows={14} />
        ) : (
          <>
            <Unexplained rest={data.rest} />
            <Block title="资金收支" lines={data.money} periods={data} of={of} strong={END} />
            <section className="card stack gap-4" style={PADDED}>
              <div className="row between gap-6 fs-13">
                <span>期初资金</span>
                <Money fen={opening} />
              </div>
              <Waterfall
                title={`资金收支，期末 ${yuan(closing)}`}
                lines={terms.flatMap(({ title, now }) => (now === 0 ? [] : [{ title, amount: now }]))}
                end={{ title: "期末资金", amount: closing, at: closing }}
                base={opening}
              />
            </section>
            <Block title="债权债务（期末余额）" lines={data.owed} periods={data} of={of} balances />
            <Block title="损益" lines={data.profit} periods={data} of={of} strong={["profit"]} />
          </>
        )}
      </div>
    </div>
  );
}

/** What the terms leave over: it says that the books are broken. */
function Unexplained({ rest }: { rest: Record<"now" | "before" | "year", number> }) {
  const said = COLUMNS.filter(([key]) => rest[key] !== 0).map(
    ([key, title]) => `${title} ${yuan(rest[key])}`,
  );
  return said.length ? (
    <p role="alert" className="notice s-red">
      各项收支与期末资金不符：{said.join("，")}。请到“勾稽检查”查看异常
    </p>
  ) : null;
}

type BlockProps = {
  title: string;
  lines: readonly ReportLine[];
  periods: Columns;
  of: Pick<Shown, "villageIds" | "head">;
  strong?: readonly string[];
  /** They are made of all entries up to then; those of the year's end are those of this period. */
  balances?: boolean;
};

function Block({ title, lines, periods, of, strong = [], balances = false }: BlockProps) {
  const shown = COLUMNS.slice(0, balances ? 2 : 3);
  return (
    <section className="card" aria-label={title}>
      <div className="card__h">
        <h2>{title}</h2>
      </div>
      <div className="scroll-x">
        <table className="tbl tbl--flat">
          <Heads
            of={[
              "项目",
              ...shown.map(
                ([key, name]) => [`${name} ${periods[key].from} ~ ${periods[key].to}`, "num"] as const,
              ),
            ]}
          />
          <tbody>
            {lines.map((line) => (
              <tr key={line.key}>
                <td>{strong.includes(line.key) ? <b>{line.title}</b> : line.title}</td>
                {shown.map(([key]) => (
                  <td key={key} className="num">
                    <Cell
                      line={line}
                      fen={line[key]}
                      shown={{ ...of, ...periods[key], ...(balances && { from: undefined }) }}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Cell({ line, fen, shown }: { line: ReportLine; fen: number; shown: Shown }) {
  const to = placeOf(line, shown);
  return to ? <Amount fen={fen} to={to} /> : <Money fen={fen} strong />;
}
