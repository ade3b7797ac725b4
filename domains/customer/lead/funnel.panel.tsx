import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { ask } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { declared } from "../../../platform/console/filter/filter.ts";
import { Filters } from "../../../platform/console/filter/filters.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { addMonths, firstOf, monthOf } from "../../../platform/kernel/day.ts";
import { leadFunnel } from "./acts.contract.ts";
import { leadWords } from "./lead.contract.ts";
import { STEP_TITLES } from "./lead.rules.ts";
import "./lead.css";

/** Sources, reasons and people that leads are registered, lost and assigned with. */
export const useLeadWords = () =>
  useQuery({ ...ask(leadWords, {}), staleTime: 60_000 }).data ?? {
    sources: [],
    channels: [],
    lostReasons: [],
    owners: [],
  };

/** The same as filters take them. */
export const filterWords = (items: readonly (readonly [code: string | number, name: string])[]) =>
  Object.fromEntries(items.map(([code, name]) => [String(code), [name, "grey"] as const]));

type Items = readonly { value: string; label: string }[];
const Pick = ({ value, onChange, onBlur, id, disabled, items }: InputProps<string> & { items: Items }) => (
  <Select
    id={id}
    value={value || null}
    disabled={disabled}
    placeholder="请选择"
    showSearch={{ optionFilterProp: "label" }}
    options={[...items]}
    onChange={(next: string | null) => onChange(next ?? undefined)}
    onBlur={onBlur}
  />
);

/** `kept` is what a record has from before, which may have been switched off since. */
export function SourceInput({
  kept,
  ...p
}: InputProps<string> & { kept?: { code: string; name: string } | undefined }) {
  const { sources } = useLeadWords();
  const all = kept && !sources.some((s) => s.code === kept.code) ? [...sources, kept] : sources;
  return <Pick {...p} items={all.map((s) => ({ value: s.code, label: s.name }))} />;
}

export function LostReasonInput(p: InputProps<string>) {
  const { lostReasons } = useLeadWords();
  return <Pick {...p} items={lostReasons.map((name) => ({ value: name, label: name }))} />;
}

export function OwnerInput({ value, onChange, ...p }: InputProps<number>) {
  const { owners } = useLeadWords();
  return (
    <Pick
      {...p}
      value={value === undefined ? undefined : String(value)}
      onChange={(next) => onChange(next === undefined ? undefined : Number(next))}
      items={owners.map((o) => ({ value: String(o.id), label: o.name }))}
    />
  );
}

const PAGE = "/configuration/BookingManagement";
const percent = (rate: number | null) => (rate === null ? "—" : `${(rate * 100).toFixed(2)}%`);
/** 漏斗: how far the leads of a period came, how quickly, and why the rest was lost. */
export function LeadFunnel() {
  const [address, set] = useAddress();
  const go = useGo();
  const words = useLeadWords();
  const today = useToday();
  const from = address.get("from") ?? addMonths(firstOf(monthOf(today)), -2);
  const to = address.get("to") ?? today;
  const rest = Object.fromEntries(
    ["villageIds", "ownerId", "source"].flatMap((key) => {
      const value = address.get(key);
      return value ? [[key, value]] : [];
    }),
  );
  const { data, error, refetch } = useQuery(ask(leadFunnel, { query: { from, to, ...rest } as never }));
  const list = { tab: may("#1502") ? "all" : "mine", ...rest, createdFrom: from, createdTo: to };
  const most = data?.steps[0]?.count ?? 0;
  return (
    <>
      <Filters
        params={new URLSearchParams({ ...rest, from, to })}
        set={set}
        filters={declared(leadFunnel, [
          "from",
          "villageIds",
          { key: "ownerId", words: filterWords(words.owners.map((o) => [o.id, o.name])) },
          { key: "source", words: filterWords(words.sources.map((s) => [s.code, s.name])) },
        ])}
      />
      <section className="card funnel__card">
        <p className="dim">
          {from} ~ {to} 登记的客源，比例为占新增客源的份额和上一步的转化率，天数从登记起算
        </p>
        {error ? (
          <Broken error={error} retry={refetch} />
        ) : !data ? (
          <RowsSkeleton rows={5} />
        ) : !most ? (
          <Empty text="这段时间没有登记客源" />
        ) : (
          <>
            <div className="funnel grid gap-5">
              {data.steps.map((s) => (
                <button
                  key={s.step}
                  type="button"
                  aria-label={`${STEP_TITLES[s.step]} ${s.count}`}
                  onClick={() => go(PAGE, { ...list, reached: s.step === "created" ? undefined : s.step })}
                >
                  <span>{STEP_TITLES[s.step]}</span>
                  <i style={{ width: `${(s.count / most) * 100}%` }} />
                  <b>{s.count}</b>
                  <small>{s.step === "created" ? "" : percent(s.whole)}</small>
                  <small className="dim">{s.step === "created" ? "" : `上步 ${percent(s.rate)}`}</small>
                  <small className="dim">{s.days === null ? "" : `平均 ${s.days} 天`}</small>
                </button>
              ))}
            </div>
            {data.lost.length > 0 && (
              <>
                <h3>流失原因</h3>
                <Chart
                  kind="bar"
                  title="流失原因"
                  height={220}
                  labels={data.lost.map((l) => l.reason)}
                  series={[{ name: "流失", values: data.lost.map((l) => l.count), tone: "orange" }]}
                  onPick={(reason) => go(PAGE, { ...list, state: "lost", lostReason: reason })}
                />
              </>
            )}
          </>
        )}
      </section>
    </>
  );
}
