import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { addSpecialDays, deleteSpecialDay, specialDay, specialDays } from "../setting/workday.contract.ts";
import { DAY_KIND } from "../setting/workday.rules.ts";

/** The enterprise's days off and the weekends that are worked in exchange; what is not named is Monday to Friday. */
export function Workdays() {
  const act = useAct();
  const [adding, setAdding] = useState(false);
  const today = useToday();
  const { data, error, refetch } = useQuery(ask(specialDays, {}));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const editable = data.editable && may("252.edit");
  return (
    <div className="stack gap-6">
      <div className="row between wrap">
        <span className="sub fs-13">周一至周五上班，周末放假；节假日和调休在这里登记，用于计算缴款期限</span>
        {editable && (
          <Button icon="plus" run={() => setAdding(true)}>
            登记放假或调休
          </Button>
        )}
      </div>
      <RowTable
        schema={specialDay}
        rows={data.days}
        emptyText="还没有登记节假日和调休"
        columns={[
          "day",
          { key: "kind", show: (d) => DAY_KIND[d.kind][0], width: 112 },
          "name",
          "who",
          {
            own: "remove",
            title: "",
            show: (d) =>
              editable && (
                <button
                  type="button"
                  className="linkish"
                  onClick={() =>
                    void act(
                      deleteSpecialDay,
                      { params: { id: d.id }, query: { version: d.version } },
                      {
                        done: "已删除",
                        ask: {
                          title: "删除放假或调休",
                          body: `${d.day} ${DAY_KIND[d.kind][0]}${d.name ? `（${d.name}）` : ""}`,
                          ok: "删除",
                        },
                      },
                    ).catch(() => undefined)
                  }
                >
                  删除
                </button>
              ),
          },
        ]}
      />
      {adding && (
        <FormDialog
          call={addSpecialDays}
          title="登记放假或调休"
          done="已登记"
          initial={{ kind: "off", from: today, to: today }}
          onClose={() => setAdding(false)}
          fields={["kind", "from", "to", { key: "name", placeholder: "如 国庆节" }]}
        />
      )}
    </div>
  );
}
