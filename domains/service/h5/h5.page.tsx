import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { OpenFailed, OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { useTitle } from "../../../platform/console/shell/title.ts";
import { type Block, UNKNOWN } from "./block.rules.ts";
import { ApplyForm } from "./apply.panel.tsx";
import { Blocks } from "./blocks.panel.tsx";

const READ: Wire = { method: "GET", path: "/support/api/v3/h5Page/public/:id", asNobody: true };

type Page = { id: number; title: string; blocks: Block[] };
type Answer = { of: string; page?: Page; error?: unknown };

/** On a renter's phone: a published page (?id=), or the form by which one applies for rooms of a store (?apply=). */
export default function H5Page() {
  const [search] = useSearchParams();
  const store = search.get("apply");
  return <OpenPage>{store ? <ApplyForm key={store} store={store} /> : <Published />}</OpenPage>;
}

/** One published page. It is asked for as by a stranger, also where somebody is signed in. */
function Published() {
  const [search] = useSearchParams();
  const id = search.get("id") ?? "";
  const [answer, setAnswer] = useState<Answer>();
  const load = useCallback(() => {
    setAnswer(undefined);
    if (!id) return;
    sendWire<Page>(READ, { params: { id } }).then(
      (page) => setAnswer({ of: id, page }),
      (error: unknown) => setAnswer({ of: id, error }),
    );
  }, [id]);
  useEffect(load, [load]);
  const now = answer?.of === id ? answer : undefined;
  useTitle(now?.page?.title);
  if (!id) return <OpenSaid icon="info" title={UNKNOWN} />;
  if (now?.error) return <OpenFailed error={now.error} retry={load} />;
  if (!now?.page) return <OpenWaiting />;
  return (
    <article className="open__card">
      <h1 className="h5__title">{now.page.title}</h1>
      <Blocks pageId={now.page.id} blocks={now.page.blocks} />
    </article>
  );
}
