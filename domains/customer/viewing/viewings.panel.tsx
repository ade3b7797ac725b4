import { useState } from "react";
import { alone, ListContext } from "../../../platform/console/list/list-context.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { Looks, TabRight } from "../../../platform/console/list/tab-page.tsx";
import { filterWords, useLeadWords } from "../lead/funnel.panel.tsx";
import { ViewingDrawer, useViewingActs } from "./viewing.panel.tsx";
import { ViewingForm, type KnownViewing } from "./viewing.form.tsx";
import { addViewing, countViewings, exportViewings, listViewings } from "./viewing.contract.ts";
import { VIEWING_STATES } from "./viewing.rules.ts";
import { ViewingWeek } from "./week.panel.tsx";

const NOBODY: KnownViewing = {};
const UNKNOWN = { book: undefined, roomId: undefined, villageId: undefined, leadId: undefined };

/** What another screen knows when it opens the form: ?book=1&roomId=… */
function knownOf(address: URLSearchParams): KnownViewing | undefined {
  if (address.get("book") !== "1" || !may(addViewing.needs)) return undefined;
  const number = (key: string) => Number(address.get(key)) || undefined;
  const [villageId, roomId, leadId] = [number("villageId"), number("roomId"), number("leadId")];
  return {
    ...(villageId && { villageId }),
    ...(roomId && { roomIds: [roomId] }),
    ...(leadId && { leadId }),
  };
}

/** Appointments, as a week by person or as a list. */
export function ViewingList() {
  const acts = useViewingActs();
  const words = useLeadWords();
  const [address, set] = useAddress();
  const [adding, setAdding] = useState<KnownViewing>();
  const known = adding ?? knownOf(address);
  const view = address.get("view") === "list" || address.get("today") ? "list" : "week";
  const opened = Number(address.get("id")) || undefined;
  return (
    <>
      <TabRight>
        <Looks
          label="看房视图"
          items={[
            ["week", "周历"],
            ["list", "列表"],
          ]}
          on={view}
          onChange={(key) => set({ view: key === "list" ? "list" : undefined, today: undefined })}
        />
        {view === "week" && may(addViewing.needs) && (
          <Button look="main" icon="plus" run={() => setAdding(NOBODY)}>
            预约看房
          </Button>
        )}
      </TabRight>
      {view === "week" ? (
        <>
          <ViewingWeek onOpen={(id) => set({ id }, { push: true })} />
          {opened && (
            <ListContext value={alone(opened, set)}>
              <ViewingDrawer id={opened} acts={acts} />
            </ListContext>
          )}
        </>
      ) : (
        <ListPage
          call={listViewings}
          unit="次"
          tabs={{
            key: "state",
            counts: countViewings,
            items: [
              { key: "", title: "全部状态" },
              ...Object.entries(VIEWING_STATES).map(([key, [title]]) => ({ key, title })),
            ],
          }}
          filters={[
            "villageIds",
            "from",
            "today",
            "keyword",
            { key: "assigneeId", words: filterWords(words.owners.map((o) => [o.id, o.name])) },
          ]}
          columns={[
            "number",
            { key: "name", width: 84 },
            "phone",
            { key: "rooms", width: 180 },
            "at",
            { key: "minutes", width: 76 },
            { key: "assigneeName", width: 84, show: (v) => v.assigneeName || "待指派" },
            "state",
            "result",
            { key: "source", hidden: true },
            { key: "villageName", hidden: true },
            { key: "feedback", hidden: true },
            { key: "createdAt", hidden: true },
          ]}
          card={{ title: "name", right: "state", lines: [["rooms"], ["at", "assigneeName"]] }}
          sort={{ sort: "at", order: "desc" }}
          toolbar={[
            { label: "预约看房", icon: "plus", main: true, does: addViewing, run: () => setAdding(NOBODY) },
          ]}
          rowActions={acts.of}
          drawer={(id) => <ViewingDrawer id={id} acts={acts} />}
          exportCall={exportViewings}
          emptyText="带客户看房前在这里预约，同一带看人的时段不会重叠"
        />
      )}
      {known && (
        <ViewingForm
          known={known}
          onClose={() => {
            setAdding(undefined);
            set(UNKNOWN);
          }}
          onDone={(id) => set({ ...UNKNOWN, id })}
        />
      )}
      {acts.layer}
    </>
  );
}
