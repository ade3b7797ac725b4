import { Arriving } from "../screens/arriving.tsx";
import { panelOf } from "../screens/load.tsx";
import type { PanelProps } from "../screens/screen.ts";
import { useSlot } from "../screens/slots.ts";
import { RowsSkeleton } from "../parts/states.tsx";

/** A place in a page that is wholly another domain's: it knows the record by its id. */
export function Filled({ slot, ...given }: { slot: string } & Pick<PanelProps, "id" | "of" | "onClose">) {
  return useSlot(slot).map((panel) => {
    const Panel = panelOf(panel);
    return (
      <Arriving key={panel.key} fallback={<RowsSkeleton rows={4} />}>
        <Panel {...given} />
      </Arriving>
    );
  });
}
