import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useAct } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { NONE } from "../../../platform/console/kinds.tsx";
import { may } from "../../../platform/console/permits.ts";
import { reach } from "../../../platform/console/reach.ts";
import { ask } from "../../../platform/console/request.ts";
import { RowTable } from "../../../platform/console/rowtable.tsx";
import { elementOf, shapeOf } from "../../../platform/console/schema.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import type { getPush } from "./push.contract.ts";
import { listRecipients, optOut } from "./recipient.contract.ts";

type Push = Reply<typeof getPush>;
const PAGE_SIZE = 50;

/** Who gets, got or did not get it. */
export function Recipients({ push }: { push: Push }) {
  const act = useAct();
  const [pages, setPages] = useState(1);
  const { data, error, refetch } = useQuery(
    ask(listRecipients, {
      params: { id: push.id },
      query: { pageSize: Math.min(200, pages * PAGE_SIZE) },
    }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <>
      <RowTable
        flat
        schema={elementOf(shapeOf(listRecipients.reply!).list)!}
        rows={data.list}
        columns={[
          { key: "name", to: (r) => reach("/configuration/RenterManage", { id: r.partyId }) },
          "address",
          "channel",
          "state",
          "reason",
          "tries",
          {
            key: "doneAt",
            show: (r) =>
              may("18.edit") && r.address && push.category === "marketing" ? (
                <Button
                  look="text"
                  run={() =>
                    act(
                      optOut,
                      { params: { id: r.id } },
                      {
                        done: "已登记退订",
                        ask: { title: "登记退订", body: `${r.name}以后不再收到营销信息，确定吗？` },
                      },
                    )
                  }
                >
                  登记退订
                </Button>
              ) : r.doneAt ? (
                timeInZone(r.doneAt).slice(0, 16)
              ) : (
                NONE
              ),
          },
        ]}
        emptyText={push.state === "draft" ? "提交后按当时的条件确定对象" : "没有对象"}
      />
      {(data.total ?? 0) > data.list.length && pages * PAGE_SIZE < 200 && (
        <Button look="text" run={() => setPages(pages + 1)}>
          再显示 {PAGE_SIZE} 位，共 {data.total} 位
        </Button>
      )}
    </>
  );
}
