import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { send } from "../../../platform/console/calls/request.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Looks, TabRight } from "../../../platform/console/list/tab-page.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { useLeadImport } from "../import/lead-import.form.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { assignLeads } from "../lead/acts.contract.ts";
import { LeadBoard, useLeadFilters } from "./board.panel.tsx";
import { useLeadActs } from "./lead-acts.panel.tsx";
import { countLeads, countMatches, exportLeads, listLeads } from "../lead/lead.contract.ts";
import { LeadForm } from "./lead.form.tsx";
import { Days, LastSaid, LeadDrawer } from "./lead.panel.tsx";
import { LEAD_STATES, type TABS } from "../lead/lead.rules.ts";

type Waiting = { id: number; done: (rooms: number) => void; failed: (error: unknown) => void };
let waiting: Waiting[] = [];

/** What the rows of a page ask for at once is asked as one. */
async function askAll(): Promise<void> {
  const asked = waiting;
  waiting = [];
  try {
    const ids = [...new Set(asked.map((w) => w.id))].join(",");
    const counts = await send(countMatches, { query: { ids } as never });
    const found = new Map(counts.map((c) => [c.id, c.rooms]));
    for (const one of asked) one.done(found.get(one.id) ?? 0);
  } catch (error) {
    for (const one of asked) one.failed(error);
  }
}
const countOf = (id: number): Promise<number> =>
  new Promise((done, failed) => {
    if (!waiting.length) setTimeout(() => void askAll(), 0);
    waiting.push({ id, done, failed });
  });

/** The number of rooms that suit a lead, as soon as it is known; it opens them. */
export function MatchCount({ id, version, open }: { id: number; version: number; open: () => void }) {
  const { data, error } = useQuery({
    queryKey: [countMatches.path, id, version],
    queryFn: () => countOf(id),
    staleTime: 60_000,
    retry: false,
  });
  if (error) return NONE;
  if (data === undefined) return <span className="dim">…</span>;
  return data ? (
    <button type="button" className="linkish" onClick={open}>
      {data} 间
    </button>
  ) : (
    <span className="dim">0 间</span>
  );
}

const PAGE = "/configuration/BookingManagement";

/** Leads as a table: the own ones, all in scope, or those of the pool. */
export function LeadList({ tab }: { tab: keyof typeof TABS }) {
  const acts = useLeadActs();
  const filters = useLeadFilters();
  const [adding, setAdding] = useState(false);
  const importing = useLeadImport();
  const [address, set] = useAddress();
  const go = useGo();
  const view = address.get("view") === "board" ? "board" : "table";
  // ?action=1 asks for the whole form, the room included
  const asked = useRef(address.get("action") === "1");
  const today = useToday();
  return (
    <>
      <TabRight>
        <Looks
          label="客源视图"
          items={[
            ["table", "表格"],
            ["board", "看板"],
          ]}
          on={view}
          onChange={(key) => set({ view: key === "board" ? "board" : undefined, state: undefined })}
        />
        {view === "board" && may("15.add") && (
          <Button look="main" icon="plus" run={() => setAdding(true)}>
            新增客源
          </Button>
        )}
      </TabRight>
      {importing.bar}
      {view === "board" ? (
        <LeadBoard tab={tab} acts={acts} />
      ) : (
        <ListPage
          call={listLeads}
          fixed={{ tab }}
          unit="位"
          tabs={{
            key: "state",
            counts: countLeads,
            items: [
              { key: "", title: "全部状态" },
              ...Object.entries(LEAD_STATES).map(([key, [title]]) => ({ key, title })),
            ],
          }}
          filters={filters}
          columns={[
            "number",
            { key: "name", width: 76 },
            "phone",
            "level",
            "state",
            // what is to be done next stands before what is known
            {
              key: "nextFollowDay",
              show: (l) =>
                l.nextFollowDay === null ? (
                  NONE
                ) : l.nextFollowDay < today ? (
                  <span className="bad">{l.nextFollowDay}</span>
                ) : (
                  l.nextFollowDay
                ),
            },
            { key: "daysToPool", show: (l) => <Days left={l.daysToPool} /> },
            { key: "wish", width: 208 },
            "moveInDay",
            {
              own: "matches",
              title: "匹配房源",
              right: true,
              show: (l) =>
                l.state === "signed" || l.state === "lost" ? (
                  NONE
                ) : (
                  <MatchCount
                    id={l.id}
                    version={l.version}
                    open={() => go(PAGE, { tab, id: l.id, part: "matches" })}
                  />
                ),
            },
            { key: "lastFollowAt", width: 220, show: (l) => <LastSaid of={l} /> },
            { key: "sourceName", width: 84 },
            { key: "ownerName", show: (l) => l.ownerName || "公海" },
            { key: "channelName", hidden: true },
            { key: "agentName", hidden: true },
            { own: "tags", title: "标签", hidden: true, show: (r) => <Tags tags={r.tags} /> },
            { key: "lastWords", hidden: true },
            { key: "createdAt", hidden: true },
            { key: "lostReason", hidden: true },
          ]}
          card={{
            title: "name",
            right: "state",
            lines: [["wish"], ["phone", "ownerName"], ["nextFollowDay"]],
          }}
          sort={{ sort: "nextFollowDay", order: "asc" }}
          toolbar={[
            { label: "新增客源", icon: "plus", main: true, need: "15.add", run: () => setAdding(true) },
            { label: "导入", icon: "upload", need: "15.import", run: importing.start },
          ]}
          rowActions={acts.of}
          batch={[{ label: "分配", does: assignLeads, run: acts.assign }]}
          drawer={(id) => <LeadDrawer id={id} acts={acts} />}
          exportCall={exportLeads}
          emptyText={
            tab === "pool"
              ? "无人跟进的客源在这里，同事均可领取"
              : "来访、来电和线上咨询的客户登记为客源，从这里跟进到签约"
          }
        />
      )}
      {adding && <LeadForm unfolded={asked.current} onClose={() => setAdding(false)} />}
      {importing.dialog}
      {acts.layer}
    </>
  );
}
