import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { dirtyPaths, useAddress, useGo, usePage } from "../../../platform/console/screens/page.ts";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { Empty, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import "./config.css";

/**
 * A page that is made of what domains put into a slot of screens/panels.ts: one tab for each, and only those that the operator
 * may see; ?tab= opens one by its key.
 */
export function Tabbed({ slot, label }: { slot: string; label: string }) {
  const tabs = useSlot(slot);
  const [address] = useAddress();
  const { path } = usePage();
  const go = useGo();
  const on = tabs.find((tab) => tab.key === address.get("tab")) ?? tabs[0];
  if (!on)
    return (
      <section className="card">
        <Empty text="您的权限内还没有可以配置的项目" />
      </section>
    );
  const Panel = panelOf(on);
  // what one tab keeps in the address means nothing to the next
  const choose = async (tab: string) => {
    if (tab === on.key || (dirtyPaths().has(path) && !(await confirmLeave()))) return;
    go(path, { tab });
  };
  return (
    <div className="config">
      <Underline label={label} items={tabs} on={on.key} onChange={(key) => void choose(key)} />
      <div className="fill" role="tabpanel">
        <Arriving key={on.key} fallback={<PageSkeleton />}>
          <Panel id={0} />
        </Arriving>
      </div>
    </div>
  );
}
