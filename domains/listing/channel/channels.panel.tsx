import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { ListContext } from "../../../platform/console/list/list-context.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { ActionButtons, RowActions } from "../../../platform/console/parts/actions.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { ChannelDrawer, useChannelActs } from "./channel.panel.tsx";
import {
  type ChannelCard,
  addChannel,
  channels,
  exportEvents,
  listingEvents,
  channelOptions,
  enquiries,
} from "./channel.contract.ts";
import { ChannelForm } from "./channel.form.tsx";
import { ADAPTERS, CHANNEL_STATES, HEALTHS } from "./adapter.rules.ts";

/** Channels to filter by. */
export function useChannelWords(): Record<string, readonly [string, "grey"]> {
  const { data = [] } = useQuery(ask(channelOptions));
  return Object.fromEntries(data.map((c) => [String(c.id), [c.name, "grey"] as const]));
}

/** The address of a channel, for who may open it. */
export const channelAt = (id: number): string | undefined =>
  may(["67.get", "67.edit"]) ? pathTo("/configuration/ApartmentSync", { tab: "channels", id }) : undefined;

const LEADS = "/configuration/BookingManagement";

/** Who asked through a channel, and which lead it became. */
export function Enquiries() {
  const channels = useChannelWords();
  return (
    <ListPage
      call={enquiries}
      unit="条"
      sort={{ sort: "at", order: "desc" }}
      filters={["villageIds", { key: "channelId", words: channels }, "keyword"]}
      columns={[
        "at",
        { key: "channelName", to: (q) => channelAt(q.channelId) },
        {
          key: "roomName",
          width: 200,
          to: (q) => (reach(ROOMS) === undefined ? undefined : pathTo(ROOMS, { view: "room", id: q.roomId })),
        },
        "name",
        "phone",
        { key: "message", width: 260 },
        {
          key: "leadNumber",
          to: (q) => (q.leadId === null ? undefined : reach(LEADS, { tab: "pool", id: q.leadId })),
        },
        "ownerName",
      ]}
      card={{
        title: "name",
        right: "channelName",
        lines: [
          ["roomName", "at"],
          ["message", "leadNumber"],
        ],
      }}
      emptyText="渠道送来的咨询会自动成为客源，并列在这里"
    />
  );
}

/** Channels as cards: how each does, how many rooms stand there; one beside them (?id=). */
export function Channels() {
  const [address, set] = useAddress();
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(ask(channels));
  const at = Number(address.get("id")) || undefined;
  const open = (id: number | undefined) => set({ id }, { push: at === undefined });
  const add = {
    label: "新增渠道",
    icon: "plus" as const,
    main: true,
    does: addChannel,
    run: () => setAdding(true),
  };
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <>
      <div className="sync__bar row gap-6 wrap">
        <ActionButtons actions={[add]} />
      </div>
      {data.list.length === 0 && (
        <Empty text="还没有渠道；新增一个数据源地址，合作平台按地址取走空置房源，不需要对接开发" />
      )}
      <ul className="sync__cards grid gap-6">
        {data.list.map((c) => (
          <Card key={c.id} channel={c} onOpen={() => open(c.id)} />
        ))}
      </ul>
      {at !== undefined && (
        <ListContext value={{ ids: data.list.map((c) => c.id), at, open, close: () => open(undefined) }}>
          <ChannelDrawer id={at} />
        </ListContext>
      )}
      {adding && <ChannelForm onClose={() => setAdding(false)} onDone={open} />}
    </>
  );
}

function Card({ channel: c, onOpen }: { channel: ChannelCard; onOpen: () => void }) {
  const [actsOf, layer] = useChannelActs();
  return (
    <li className="card sync__card stack gap-4" aria-label={c.name}>
      <header>
        {may(["67.get", "67.edit"]) ? (
          <button type="button" className="linkish" onClick={onOpen}>
            {c.name}
          </button>
        ) : (
          <b>{c.name}</b>
        )}
        <WordTag words={CHANNEL_STATES} code={c.state} />
        {c.state === "enabled" && <WordTag words={HEALTHS} code={c.health} />}
      </header>
      <p className="dim cut">
        {ADAPTERS[c.adapter][0]} · {c.villageNames}
      </p>
      <dl>
        <div>
          <dt>在架</dt>
          <dd>{c.online.toLocaleString("en-US")}</dd>
        </div>
        <div>
          <dt>等待</dt>
          <dd>{c.waiting.toLocaleString("en-US")}</dd>
        </div>
        <div>
          <dt>失败</dt>
          <dd className={c.failed ? "neg" : ""}>{c.failed.toLocaleString("en-US")}</dd>
        </div>
        <div>
          <dt>24 小时失败</dt>
          <dd className={c.errors ? "neg" : ""}>{c.errors.toLocaleString("en-US")}</dd>
        </div>
      </dl>
      {c.lastError && <p className="neg cut">{c.lastError}</p>}
      <footer>
        <span className="dim">
          {c.lastRunAt
            ? `同步于 ${timeInZone(c.lastRunAt).slice(0, 16)}`
            : c.adapter === "feed"
              ? "由合作方按地址取用"
              : "还没有同步过"}
        </span>
        <RowActions actions={actsOf(c)} />
      </footer>
      {layer}
    </li>
  );
}

const ROOMS = "/configuration/ApartmentManage";

/** Every word exchanged with channels, newest first. */
export function Events() {
  const channels = useChannelWords();
  return (
    <ListPage
      call={listingEvents}
      unit="条"
      sort={{ sort: "at", order: "desc" }}
      filters={[{ key: "channelId", words: channels }, "result", "act", "keyword", "villageIds", "from"]}
      columns={[
        "at",
        { key: "channelName", to: (e) => channelAt(e.channelId) },
        {
          key: "roomName",
          width: 200,
          to: (e) =>
            e.roomId && reach(ROOMS) !== undefined
              ? pathTo(ROOMS, { view: "room", id: e.roomId })
              : undefined,
        },
        "act",
        "result",
        "millis",
        { key: "answer", width: 320 },
      ]}
      card={{
        title: "channelName",
        right: "result",
        lines: [
          ["roomName", "act"],
          ["answer", "at"],
        ],
      }}
      exportCall={exportEvents}
      emptyText="还没有同步过；启用渠道后，每次发布、更新、下架都记在这里"
    />
  );
}
