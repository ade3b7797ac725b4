import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { ChangeDrawer, useChangeActs } from "../price-change/change.panel.tsx";
import { exportChanges, listChanges } from "../price-change/change.contract.ts";
import "../price-change/price.css";

const Planning = lazily(() => import("./planning.form.tsx").then((m) => ({ default: m.Planning })));

/** Changes of many prices: the list, one beside it (?id=), and the three steps of a new one (?draft=). */
export default function ChangesPage() {
  const [address, set] = useAddress();
  const actsOf = useChangeActs();
  const draft = address.get("draft");
  const close = (id?: number) =>
    set({ draft: undefined, copy: undefined, undo: undefined, rooms: undefined, villageId: undefined, id });
  if (draft)
    return (
      <Arriving fallback={<PageSkeleton />}>
        <Planning
          key={`${draft}.${address.get("copy")}.${address.get("undo")}`}
          asked={{
            id: Number(draft) || undefined,
            copy: Number(address.get("copy")) || undefined,
            undo: Number(address.get("undo")) || undefined,
            villageId: Number(address.get("villageId")) || undefined,
            roomIds: (address.get("rooms") ?? "").split(",").map(Number).filter(Boolean),
          }}
          onClose={close}
        />
      </Arriving>
    );
  return (
    <ListPage
      call={listChanges}
      unit="张"
      sort={{ sort: "createdAt", order: "desc" }}
      filters={["villageIds", "state", "kind", "dayFrom", "keyword", "person"]}
      columns={[
        { key: "number", width: 170 },
        { key: "kind", hidden: true },
        { key: "scopeText", width: 200 },
        { key: "ruleText", width: 150 },
        "rooms",
        "oldAverage",
        "newAverage",
        { key: "effect", strong: true },
        "effectiveDay",
        "state",
        "createdName",
        {
          key: "examineNo",
          to: (c) =>
            c.examineId && c.examineNo
              ? reach(WORKBENCH, { tab: "examine", examineId: c.examineId })
              : undefined,
        },
        { key: "createdAt", hidden: true },
      ]}
      card={{
        title: "number",
        right: "state",
        lines: [
          ["scopeText", (c) => `${c.rooms.toLocaleString("en-US")} 间`],
          ["ruleText"],
          [(c) => `${c.effectiveDay} 生效`],
        ],
      }}
      toolbar={[
        {
          label: "新增调价",
          icon: "plus",
          main: true,
          need: "6.add",
          run: () => set({ draft: "new", id: undefined }, { push: true }),
        },
      ]}
      rowActions={actsOf}
      drawer={(id) => <ChangeDrawer id={id} />}
      exportCall={exportChanges}
      emptyText="批量调整房间价格：选房、定规则、逐间预览后提交，从生效日起用于新签合同，已签合同不变"
    />
  );
}
