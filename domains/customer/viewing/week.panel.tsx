import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { addDays } from "../../../platform/kernel/day.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { viewingWeek } from "./viewing.contract.ts";
import { thisMonday } from "./viewing.form.tsx";
import { VIEWING_STATES } from "./viewing.rules.ts";
import "../lead/lead.css";

/** The first of the rooms and how many there are: a day of the week is narrow. */
const firstOf = (rooms: string): string => {
  const [first = "", ...more] = rooms.split("、");
  return more.length ? `${first} 等 ${more.length + 1} 间` : first;
};
const WEEKDAYS = ["一", "二", "三", "四", "五", "六", "日"];

/** Who shows whom around in a week; a click opens the appointment. */
export function ViewingWeek({ onOpen }: { onOpen: (id: number) => void }) {
  const [address, set] = useAddress();
  const today = useToday();
  const from = address.get("week") ?? thisMonday();
  const villageIds = address.get("villageIds") ?? undefined;
  const { data, error, refetch } = useQuery({
    ...ask(viewingWeek, { query: { from, ...(villageIds && { villageIds }) } }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={5} />;
  // a narrow screen begins with today
  const toToday = (head: HTMLElement | null) => {
    head?.scrollIntoView({ inline: "center", block: "nearest" });
  };
  const go = (days: number) => set({ week: addDays(from, days) });
  return (
    <section className="card vweek" aria-label="看房周历">
      <div className="vweek__bar row">
        <IconButton icon="left" label="上一周" run={() => go(-7)} />
        <b>
          {data.days[0]} ~ {data.days[6]}
        </b>
        <IconButton icon="right" label="下一周" run={() => go(7)} />
        <Button size="sm" run={() => set({ week: undefined })}>
          本周
        </Button>
      </div>
      {data.people.length === 0 ? (
        <Empty text="这一周还没有看房预约" />
      ) : (
        <div className="vweek__scroll">
          <table className="tbl vweek__grid">
            <thead>
              <tr>
                <th>带看人</th>
                {data.days.map((day, i) => (
                  <th
                    key={day}
                    ref={day === today ? toToday : null}
                    className={day === today ? "vweek__today" : ""}
                  >
                    {day.slice(5)} 周{WEEKDAYS[i]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.people.map((person) => (
                <tr key={person.id ?? 0}>
                  <th scope="row">{person.name}</th>
                  {data.days.map((day) => (
                    <td key={day} className={day === today ? "vweek__today" : ""}>
                      {person.viewings
                        .filter((v) => v.day === day)
                        .map((v) => (
                          <button
                            key={v.id}
                            type="button"
                            className={`vweek__one s-${VIEWING_STATES[v.state][1]}`}
                            title={`${v.clock} ${v.name} ${v.rooms}，${VIEWING_STATES[v.state][0]}`}
                            onClick={() => onOpen(v.id)}
                          >
                            <b>{v.clock}</b> {v.name}
                            <small>{firstOf(v.rooms)}</small>
                          </button>
                        ))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
