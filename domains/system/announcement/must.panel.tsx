import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { token } from "../../../platform/console/session/session.ts";
import { keep, kept } from "../../../platform/console/session/storage.ts";
import { listAnnouncements } from "./announcement.contract.ts";
import { AnnouncementDialog } from "./announcement.panel.tsx";

const EVERY_MS = 300_000;
const open = ask(listAnnouncements, { query: { unconfirmed: "1", want: "rows" } });

/** What was put off, and in which log-in: the next log-in asks again. */
type PutOff = { login: string; ids: number[] };
const login = () => (token() ?? "").slice(-12);
const putOff = (): number[] => {
  const before = kept<PutOff>("announcements");
  return before?.login === login() ? before.ids : [];
};

/** Announcements that must be confirmed open by themselves, once in each log-in, until they are. */
export default function MustConfirmPanel() {
  const [later, setLater] = useState(putOff);
  const { data } = useQuery({ ...open, staleTime: EVERY_MS, refetchInterval: EVERY_MS });
  const next = data?.list.find((a) => !later.includes(a.id));
  if (!next) return null;
  const close = () => {
    const ids = [...later, next.id];
    keep("announcements", { login: login(), ids } satisfies PutOff);
    setLater(ids);
  };
  return <AnnouncementDialog key={next.id} id={next.id} onClose={close} />;
}
