import { Suspense } from "react";
import { panelOf } from "../screens/load.tsx";
import { useSlot } from "../screens/slots.ts";
import { RowsSkeleton } from "../parts/states.tsx";

/** A place in a page that is wholly another domain's: it knows the record by its id. */
export function Filled({ slot, id }: { slot: string; id: number }) {
  return useSlot(slot).map((panel) => {
    const Panel = panelOf(panel);
    return (
      <Suspense key={panel.key} fallback={<RowsSkeleton rows={4} />}>
        <Panel id={id} />
      </Suspense>
    );
  });
}
