import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { Fragment, useEffect, useState, type ReactNode } from "react";
import { dayNumber, timeInZone, addDays } from "../../../platform/kernel/day.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { greeting } from "../../../platform/console/shell/greeting.ts";
import { useOperator, useToday } from "../../../platform/console/session/operator.ts";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { countExamines } from "../../approval/examine/examine.contract.ts";
import { ApprovalsCard, TodoCard, TopRows } from "./todo.panel.tsx";
import { ArrangeDialog } from "./arrange.panel.tsx";
import { columnOf, EVERYTHING, isOn, type Arrangement, type CardKey } from "./workbench.rules.ts";
import { FiguresCard } from "./figures.panel.tsx";
import { usePreference } from "./preference.panel.tsx";
import { QuickCard } from "./quick.panel.tsx";
import { useWorkbench, Card } from "./card.panel.tsx";
import { workbenchFigures, workbenchTodo, workbenchTrend, workbenchWeek } from "./workbench.contract.ts";
import { PicturesCard } from "./pictures.panel.tsx";
import "./workbench.css";
import "./pictures.css";
import { Popover } from "antd";
import type { Reply } from "../../../platform/kernel/call.ts";

type Week = Reply<typeof workbenchWeek>;
const KINDS = {
  moveIns: { title: "入住", colour: "var(--t-tomovein)" },
  ends: { title: "到期", colour: "var(--orange-so)" },
  viewings: { title: "看房", colour: "var(--gold-so)" },
  reservations: { title: "预订", colour: "var(--cyan-so)" },
} as const;

/** Who comes and whose contract ends, day by day; a count opens its first five. */
function WeekCard({ query }: { query: { villageIds?: string } }) {
  const [from, setFrom] = useState<string>();
  const result = useWorkbench(workbenchWeek, { ...query, ...(from && { from }) });
  const { data } = result;
  if (data && !data.kinds.length) return null;
  const move = (days: number) => data && setFrom(addDays(data.from, days));
  const thisWeek = !data || (data.from <= data.today && data.today <= data.to);
  return (
    <Card
      title={thisWeek ? "本周" : "周历"}
      note={data && `${data.from.slice(5)} ~ ${data.to.slice(5)}`}
      tools={
        <>
          {!thisWeek && (
            <button type="button" className="bench__fold" onClick={() => setFrom(undefined)}>
              回到本周
            </button>
          )}
          <IconButton icon="left" size={14} small label="上一周" run={() => move(-7)} />
          <IconButton icon="right" size={14} small label="下一周" run={() => move(7)} />
        </>
      }
      result={result}
      skeleton={<div className="bench__blank bench__blank--week" />}
    >
      {(week) => <Table week={week} />}
    </Card>
  );
}

function Table({ week }: { week: Week }) {
  const days = Array.from({ length: 7 }, (_, i) => addDays(week.from, i));
  const now = (day: string) => (day === week.today ? "now" : "");
  return (
    <table className="week">
      <thead>
        <tr>
          <th aria-label="类型" />
          {days.map((day, i) => (
            <th key={day} className={now(day)}>
              {day === week.today ? "今天" : "一二三四五六日"[i]}
              <b>{Number(day.slice(8))}</b>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {week.kinds.map((kind) => (
          <tr key={kind}>
            <td className="fs-12">
              <i className="dot" style={{ background: KINDS[kind].colour }} />
              {KINDS[kind].title}
            </td>
            {days.map((day) => (
              <td key={day} className={now(day)}>
                <Count week={week} kind={kind} day={day} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Count({ week, kind, day }: { week: Week; kind: keyof typeof KINDS; day: string }) {
  const cell = week.cells.find((c) => c.kind === kind && c.day === day);
  if (!cell) return <span className="dim">0</span>;
  const note =
    cell.count > cell.top.length ? `前 ${cell.top.length} 份，共 ${cell.count} 份` : `共 ${cell.count} 份`;
  return (
    <Popover
      trigger={["click"]}
      placement="bottom"
      arrow={false}
      content={<TopRows title={`${day.slice(5)} ${KINDS[kind].title}`} note={note} rows={cell.top} />}
    >
      <button type="button" className="week__n" aria-label={`${day} ${KINDS[kind].title} ${cell.count} 份`}>
        {cell.count}
      </button>
    </Popover>
  );
}

const NO_CHOICE: number[] = [];

/** The overview, and what other domains put beside it, such as the approvals. */
export default function WorkbenchPage() {
  const [address, set] = useAddress();
  const panels = useSlot("workbench.tabs");
  const { data: waits } = useWorkbench(countExamines, {});
  const on = panels.find((p) => p.key === address.get("tab"));
  const Panel = on && panelOf(on);
  const count = (key: string) =>
    key === "examine" && waits?.mine ? (
      <span className={waits.late ? "bad" : ""} title={waits.late ? `${waits.late} 条超时` : undefined}>
        {waits.mine}
      </span>
    ) : undefined;
  return (
    <div className={`bench stack ${Panel ? "bench--tab" : ""}`}>
      <div className="bench__tabs">
        <Underline
          label="工作台"
          items={[
            { key: "", title: "概览" },
            ...panels.map((p) => ({ key: p.key, title: p.title, count: count(p.key) })),
          ]}
          on={on?.key ?? ""}
          // a list of one tab is filtered by words of its own
          onChange={(key) => set({ ...cleared(address), tab: key })}
        />
      </div>
      {Panel ? (
        <Arriving key={on.key} fallback={<RowsSkeleton rows={10} />}>
          <Panel id={0} />
        </Arriving>
      ) : (
        <Overview />
      )}
    </div>
  );
}

const cleared = (address: URLSearchParams) =>
  Object.fromEntries([...address.keys()].filter((k) => k !== "villageIds").map((k) => [k, undefined]));

/** What waits, what happened today, and the shortest way to start something. */
function Overview() {
  const operator = useOperator();
  const now = useMinute();
  const refresh = useRefresh();
  const [villages, setVillages] = useChosenVillages();
  const [arranged, setArranged] = usePreference<Arrangement>("workbench.cards", EVERYTHING);
  const [arranging, setArranging] = useState(false);
  const query: { villageIds?: string } = villages.length ? { villageIds: villages.join(",") } : {};
  const todo = useWorkbench(workbenchTodo, query);
  const figures = useWorkbench(workbenchFigures, query);
  const trend = useWorkbench(workbenchTrend, query);
  const cards: Record<CardKey, ReactNode> = {
    todo: <TodoCard result={todo} />,
    figures: <FiguresCard result={figures} villageIds={query.villageIds} hidden={arranged.figures} />,
    pictures: <PicturesCard result={trend} villageIds={query.villageIds} />,
    approvals: <ApprovalsCard result={todo} />,
    news: <Added />,
    quick: <QuickCard />,
    week: <WeekCard query={query} />,
  };
  const column = (which: "main" | "side") =>
    columnOf(arranged, which)
      .filter((key) => isOn(arranged, key))
      .map((key) => <Fragment key={key}>{cards[key]}</Fragment>);
  const fresh = todo.data ? timeInZone(todo.data.asOf).slice(11, 16) : undefined;
  const today = useToday();
  return (
    <>
      <header className="bench__hello row gap-6">
        <h1>
          {greeting(now.getHours())}，{operator?.name}
        </h1>
        <span className="dim">
          {today} 星期{"四五六日一二三"[dayNumber(today) % 7]}
        </span>
        <span className="grow" />
        {fresh && <span className="bench__fresh">更新于 {fresh}</span>}
        <IconButton icon="refresh" label="刷新" run={refresh} />
        <VillagesSelect
          prefix={<span className="lab">门店</span>}
          value={villages}
          width={176}
          onChange={setVillages}
        />
        <Button run={() => setArranging(true)}>自定义</Button>
      </header>
      <div className="bench__cols grid gap-8">
        <div className="bench__col stack gap-8">{column("main")}</div>
        <div className="bench__col stack gap-8 bench__side">{column("side")}</div>
      </div>
      {arranging && (
        <ArrangeDialog
          value={arranged}
          keys={figures.data?.figures.map((f) => f.key) ?? []}
          onChange={(value) => void setArranged(value).catch(showFailure)}
          onClose={() => setArranging(false)}
        />
      )}
    </>
  );
}

/** What other domains put beside the work: announcements. */
const Added = () =>
  useSlot("workbench.side").map((panel) => {
    const View = panelOf(panel);
    return (
      <Arriving key={panel.key}>
        <View id={0} />
      </Arriving>
    );
  });

/** The clock, minute by minute: the greeting changes while the page stands open. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** From the address, else the last choice; of that, what has left the scope since falls out without a word. */
function useChosenVillages(): [number[], (ids: number[]) => void] {
  const [address, set] = useAddress();
  const [kept, keep] = usePreference<number[]>("workbench.villages", NO_CHOICE);
  const { data } = useVillages();
  const named = address.get("villageIds");
  const chosen = named
    ? named.split(",").map(Number)
    : kept.filter((id) => !data || data.some((v) => v.value === id));
  return [
    chosen,
    (ids) => {
      void keep(ids.length ? ids : undefined).catch(showFailure);
      set({ villageIds: undefined });
    },
  ];
}
