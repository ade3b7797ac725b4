import { useAct } from "../../../platform/console/calls/mutation.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Shown, declared, keysOf } from "../../../platform/console/filter/filter.ts";
import { Filters } from "../../../platform/console/filter/filters.tsx";
import { alone, ListContext } from "../../../platform/console/list/list-context.ts";
import type { QueryKey } from "../../../platform/console/list/list-schema.ts";
import { permitted } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import type { LeadActs, LeadRow } from "./lead-acts.panel.tsx";
import { listLeads } from "../lead/lead.contract.ts";
import { LeadDrawer } from "./lead.panel.tsx";
import { LEAD_STATES, LEVELS, type LeadState, type TABS } from "../lead/lead.rules.ts";
import { filterWords, useLeadWords } from "../lead/funnel.panel.tsx";

/** By what leads are looked for, as a table and as a board alike. */
export function useLeadFilters(): Shown<QueryKey<typeof listLeads>>[] {
  const words = useLeadWords();
  return [
    "villageIds",
    "level",
    "follow",
    "keyword",
    { key: "source", words: filterWords(words.sources.map((s) => [s.code, s.name])) },
    { key: "channel", words: filterWords(words.channels.map((name) => [name, name])) },
    "agentId",
    { key: "ownerId", words: filterWords(words.owners.map((o) => [o.id, o.name])) },
    "nextFrom",
    "createdFrom",
    "budgetFrom",
    "moveInFrom",
    "reached",
    { key: "lostReason", words: filterWords(words.lostReasons.map((name) => [name, name])) },
  ];
}

const COLUMNS = Object.keys(LEAD_STATES) as LeadState[];
const SHOWN = 30;

/** What brings a lead into a column: an act with its own dialog, never the drag alone. */
const actInto = (lead: LeadRow, to: LeadState): string | undefined =>
  ({
    new: undefined,
    following: lead.state === "lost" ? "重新激活" : "跟进",
    viewed: "预约看房",
    reserved: "预订",
    signed: "转合同",
    lost: "流失",
  })[to];

/** Leads by how far they came. A card is dragged, or moved with the arrow keys, into the column it shall come to. */
export function LeadBoard({ tab, acts }: { tab: keyof typeof TABS; acts: LeadActs }) {
  const [address, set] = useAddress();
  const [held, setHeld] = useState<LeadRow>();
  const act = useAct();
  const [over, setOver] = useState<LeadState>();
  const filters = declared(listLeads, useLeadFilters());
  const kept = Object.fromEntries(
    filters.flatMap(keysOf).flatMap((key) => (address.get(key) ? [[key, address.get(key)!]] : [])),
  );
  const opened = Number(address.get("id")) || undefined;

  const moveTo = (lead: LeadRow, to: LeadState | undefined) => {
    if (!to || to === lead.state) return;
    const label = actInto(lead, to);
    const found = permitted(acts.of(lead)).find((a) => a.label === label);
    if (!found || found.why)
      return toast(found?.why ?? `不能从“${LEAD_STATES[lead.state][0]}”移到“${LEAD_STATES[to][0]}”`, "error");
    return found.run(act);
  };

  return (
    <>
      <Filters filters={filters} params={address} set={set} />
      <div className="board" role="list" aria-label="客源看板">
        {COLUMNS.map((state, i) => (
          <section
            key={state}
            role="listitem"
            aria-label={LEAD_STATES[state][0]}
            className={`board__col ${over === state ? "on" : ""}`}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(state);
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(undefined);
              if (held) void moveTo(held, state);
              setHeld(undefined);
            }}
          >
            <Column
              query={{ ...kept, tab, state, pageSize: SHOWN }}
              state={state}
              onOpen={(id) => set({ id }, { push: true })}
              onHold={setHeld}
              onMove={(lead, step) => void moveTo(lead, COLUMNS[i + step])}
              more={pathTo("/configuration/BookingManagement", { ...kept, tab, state })}
            />
          </section>
        ))}
      </div>
      {opened && (
        <ListContext value={alone(opened, set)}>
          <LeadDrawer id={opened} acts={acts} />
        </ListContext>
      )}
    </>
  );
}

type ColumnProps = {
  query: Record<string, unknown>;
  state: LeadState;
  onOpen: (id: number) => void;
  onHold: (lead: LeadRow | undefined) => void;
  onMove: (lead: LeadRow, step: -1 | 1) => void;
  more: string;
};

function Column({ query, state, onOpen, onHold, onMove, more }: ColumnProps) {
  const today = useToday();
  const { data, error, refetch } = useQuery({
    ...ask(listLeads, { query }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <>
      <h3>
        <WordTag words={LEAD_STATES} code={state} /> <span className="dim">{data.total}</span>
      </h3>
      {data.list.map((lead) => (
        <button
          key={lead.id}
          type="button"
          draggable
          className="board__card stack gap-2"
          title="拖动或按左右方向键移到其他状态"
          onClick={() => onOpen(lead.id)}
          onDragStart={() => onHold(lead)}
          onDragEnd={() => onHold(undefined)}
          onKeyDown={(event) => {
            if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
              event.preventDefault();
              onMove(lead, event.key === "ArrowLeft" ? -1 : 1);
            }
          }}
        >
          <span className="row">
            <b className="grow cut">{lead.name}</b>
            <WordTag words={LEVELS} code={lead.level} dot={false} />
          </span>
          <span className="board__wish">{lead.wish}</span>
          <span className="row dim">
            <span className="grow">{lead.ownerName || "公海"}</span>
            <span className={lead.nextFollowDay && lead.nextFollowDay < today ? "bad" : ""}>
              {lead.nextFollowDay}
            </span>
          </span>
        </button>
      ))}
      {data.list.length === 0 && <p className="dim board__none">没有客源</p>}
      {(data.total ?? 0) > data.list.length && <Link to={more}>查看全部 {data.total} 位</Link>}
    </>
  );
}
