import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Pager } from "../../../platform/console/list/pager.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { CHOICE_PAGE } from "../choice/choice.rules.ts";
import { exportRecipients, type getPush, listRecipients, optOut } from "./push.contract.ts";
import { RECIPIENT_STATES } from "./push.rules.ts";

type Push = Reply<typeof getPush>;
const PAGE_SIZE = 50;
const COLUMNS = ["name", "address", "channel", "body", "parts", "state", "reason", "tries", "doneAt"];
const STATES = [
  { key: "", title: "全部" },
  ...Object.entries(RECIPIENT_STATES).map(([key, [title]]) => ({ key, title })),
];

/** Who gets, got or did not get it. */
export function Recipients({ push }: { push: Push }) {
  const act = useAct();
  const [pageNo, setPageNo] = useState(1);
  const [pageSize, setPageSize] = useState(PAGE_SIZE);
  const [state, setState] = useState("");
  const sent = { params: { id: push.id }, query: { ...(state && { state }), pageNo, pageSize } };
  const { data, error, refetch } = useQuery({
    ...ask(listRecipients, sent as never),
    placeholderData: keepPreviousData,
  });
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <>
      <div className="row">
        <Underline
          small
          label="发送状态"
          items={STATES}
          on={state}
          onChange={(next) => {
            setState(next);
            setPageNo(1);
          }}
        />
        <span className="grow" />
        {may(exportRecipients.needs) && (data.total ?? 0) > 0 && (
          <Button size="sm" icon="download" run={() => exportList(exportRecipients, sent, COLUMNS)}>
            导出
          </Button>
        )}
      </div>
      <RowTable
        flat
        schema={elementOf(shapeOf(listRecipients.reply!).list)!}
        rows={data.list}
        columns={[
          { key: "name", to: (r) => reach(CHOICE_PAGE[push.audience.kind], { id: r.partyId }) },
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
                        ask: {
                          title: "登记退订",
                          body: `${r.name}以后不再收到营销信息，确定吗？`,
                          ok: "登记退订",
                        },
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
        emptyText={
          state ? "没有该状态的对象" : push.state === "draft" ? "提交后按当时的条件确定对象" : "没有对象"
        }
      />
      {(data.total ?? 0) > PAGE_SIZE && (
        <Pager
          pageNo={pageNo}
          pageSize={pageSize}
          total={data.total ?? 0}
          set={(no, size) => {
            setPageNo(no);
            setPageSize(size);
          }}
        />
      )}
    </>
  );
}
