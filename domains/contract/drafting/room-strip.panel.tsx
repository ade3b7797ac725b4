import { Input } from "antd";
import { useState } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { type Day, addDays, daysBetween, maxDay, minDay } from "../../../platform/kernel/day.ts";
import type { RoomCard } from "./draft.form.tsx";
import { roomsNamed } from "./drafting.rules.ts";

const KINDS = { lease: "租用", reservation: "占用", block: "锁房" } as const;

/** A room's timeline a month around the term: who has it before, during and after. */
export function RoomStrip({
  card,
  start,
  end,
  ownNo,
}: {
  card: RoomCard;
  start: Day;
  end: Day;
  ownNo: string | undefined;
}) {
  const from = addDays(start, -31);
  const to = addDays(end, 31);
  const days = daysBetween(from, to) + 1;
  const at = (day: Day) => `${(daysBetween(from, day) / days) * 100}%`;
  const width = (a: Day, b: Day) => `${((daysBetween(a, b) + 1) / days) * 100}%`;
  const others = card.timeline.filter((t) => t.label !== ownNo);
  const clash = others.filter((t) => t.from <= end && (t.to ?? end) >= start);
  return (
    <div className="rs grid gap-6 fs-12">
      <span className="cut">{card.name}</span>
      <div
        className="rs__bar"
        role="img"
        aria-label={clash.length ? `${card.name} 在租期内已被占用` : `${card.name} 在租期内空闲`}
      >
        <i
          className={clash.length ? "rs__want bad" : "rs__want"}
          style={{ left: at(start), width: width(start, end) }}
        />
        {others.map((t) => {
          const a = maxDay(t.from, from);
          const b = minDay(t.to ?? to, to);
          return (
            <i
              key={`${t.from} ${t.label}`}
              className="rs__taken"
              style={{ left: at(a), width: width(a, b) }}
              title={`${t.from} 至 ${t.to ?? "未定"} ${KINDS[t.kind]}（${t.label}）`}
            />
          );
        })}
      </div>
      <span className={clash.length ? "neg" : "good"}>
        {clash[0] ? `${clash[0].from} 起被 ${clash[0].label} ${KINDS[clash[0].kind]}` : "租期内空闲"}
      </span>
    </div>
  );
}

type Props = { rooms: Parameters<typeof roomsNamed>[1]; onFound: (ids: readonly number[]) => void };

/** Many rooms at once, by a list of names such as a company sends it. */
export function NamedRooms({ rooms, onFound }: Props) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const add = () => {
    const named = roomsNamed(typed, rooms);
    setWrong(named.wrong);
    if (named.wrong.length) return;
    onFound(named.ids);
    setTyped("");
  };
  return (
    <div className="rp__named">
      <div className="row">
        <Input.TextArea
          aria-label="按房号添加"
          autoSize={{ minRows: 1, maxRows: 4 }}
          value={typed}
          placeholder="粘贴房号，用逗号或换行分隔"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button run={add}>按房号添加</Button>
      </div>
      {wrong.length > 0 && (
        <ul className="form__alert" role="alert">
          {wrong.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
