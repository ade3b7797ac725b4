import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { declared, keysOf } from "../../../platform/console/filter/filter.ts";
import { Filters } from "../../../platform/console/filter/filters.tsx";
import { alone, ListContext } from "../../../platform/console/list/list-context.ts";
import { type Action, MenuOf, permitted } from "../../../platform/console/parts/actions.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { followRenewal, listRenewals, type RenewalRow } from "./renewal.contract.ts";
import { type RenewalActs, RenewalDrawer } from "./renewal.panel.tsx";
import { BOARD, INTENTS } from "./renewal.rules.ts";

const SHOWN = 30;
/** Days are the columns' own. */
const BOARD_FILTERS = ["villageIds", "intent", "managerId", "owing", "offer", "keyword"] as const;
type Drop = "willing" | "leaving";
const DROPS: Record<Drop, string> = { willing: "有意", leaving: "不续租" };

/** Leases that wait, by the weeks that are left. A card is moved to 有意 or 不续租 by its menu, by dragging, or by → and Delete. */
export function RenewalBoard({ acts }: { acts: RenewalActs }) {
  const [address, set] = useAddress();
  const [held, setHeld] = useState<RenewalRow>();
  const [over, setOver] = useState<Drop>();
  const act = useAct();
  const filters = declared(listRenewals, BOARD_FILTERS);
  const kept = Object.fromEntries(
    filters.flatMap(keysOf).flatMap((key) => (address.get(key) ? [[key, address.get(key)!]] : [])),
  );
  const opened = Number(address.get("id")) || undefined;
  const today = useToday();
  const willing = (row: RenewalRow): Action => ({
    label: DROPS.willing,
    does: followRenewal,
    run: () => acts.follow(row, "willing"),
  });
  const move = (row: RenewalRow, to: Drop) => {
    const all = to === "willing" ? [willing(row)] : acts.of(row);
    const found = permitted(all).find((a) => a.label === DROPS[to]);
    if (!found || found.why) return toast(found?.why ?? `不能移到“${DROPS[to]}”`, "error");
    return found.run(act);
  };
  return (
    <>
      <Filters filters={filters} params={address} set={set} />
      <div className="row">
        {(Object.keys(DROPS) as Drop[]).map((to) => (
          <div
            key={to}
            className={`tinted grow fs-13 ${over === to ? "s-green" : "s-grey"}`}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(to);
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(undefined);
              if (held) void move(held, to);
              setHeld(undefined);
            }}
          >
            拖到这里登记“{DROPS[to]}”
          </div>
        ))}
      </div>
      <div className="board" role="list" aria-label="到期看板">
        {Object.entries(BOARD).map(([key, { title, from, to }]) => {
          const days = {
            ...(from !== null && { endFrom: addDays(today, from) }),
            ...(to !== null && { endTo: addDays(today, to) }),
          };
          return (
            <section key={key} role="listitem" aria-label={title} className="board__col">
              <Column
                title={title}
                query={{ ...kept, tab: "due", ...days, pageSize: SHOWN }}
                more={pathTo("/contract/RenewalApplicationPage", { ...kept, ...days })}
                onOpen={(id) => set({ id }, { push: true })}
                onHold={setHeld}
                onMove={(row, drop) => void move(row, drop)}
                menuOf={(row) => [willing(row), ...acts.of(row)]}
              />
            </section>
          );
        })}
      </div>
      {opened && (
        <ListContext value={alone(opened, set)}>
          <RenewalDrawer id={opened} acts={acts} />
        </ListContext>
      )}
    </>
  );
}

type ColumnProps = {
  title: string;
  query: Record<string, unknown>;
  more: string;
  onOpen: (id: number) => void;
  onHold: (row: RenewalRow | undefined) => void;
  onMove: (row: RenewalRow, to: Drop) => void;
  menuOf: (row: RenewalRow) => Action[];
};

function Column({ title, query, more, onOpen, onHold, onMove, menuOf }: ColumnProps) {
  const { data, error, refetch } = useQuery({
    ...ask(listRenewals, { query: query as never }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <>
      <h3>
        {title} <span className="dim">{data.total}</span>
      </h3>
      {data.list.map((row) => (
        <div key={row.id} className="row gap-2">
          <button
            type="button"
            draggable
            className="board__card stack gap-2 grow"
            title="拖动到上方，或按 → 登记有意，按 Delete 登记不续租"
            onClick={() => onOpen(row.id)}
            onDragStart={() => onHold(row)}
            onDragEnd={() => onHold(undefined)}
            onKeyDown={(event) => {
              if (event.key !== "ArrowRight" && event.key !== "Delete") return;
              event.preventDefault();
              onMove(row, event.key === "Delete" ? "leaving" : "willing");
            }}
          >
            <span className="row">
              <b className="grow cut">{row.partyName}</b>
              <WordTag words={INTENTS} code={row.intent} dot={false} />
            </span>
            <span className="board__wish">{row.roomNames}</span>
            <span className="dim">{row.endDate}</span>
            <Money fen={row.rent} />
          </button>
          <MenuOf actions={permitted(menuOf(row))} label={`${row.contractNo} 的操作`} />
        </div>
      ))}
      {data.list.length === 0 && <p className="dim board__none">没有到期合同</p>}
      {(data.total ?? 0) > data.list.length && <Link to={more}>查看全部 {data.total} 份</Link>}
    </>
  );
}
