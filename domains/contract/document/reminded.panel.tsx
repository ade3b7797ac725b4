import { openFile } from "../../../platform/console/files/upload.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { RECIPIENT_STATES } from "../../customer/push/push.rules.ts";
import { dunningLetter } from "./document.contract.ts";
import { billReminders } from "./reminded.contract.ts";

/** 催缴记录 of a bill, and the letter of its contract. */
export default function RemindedPanel({ id }: { id: number }) {
  return (
    <Loaded call={billReminders} sent={{ params: { id } }}>
      {({ letterOf, list }) => (
        <div className="stack gap-4">
          {letterOf !== null && may(dunningLetter.needs) && (
            <div className="row">
              <Button icon="file" run={() => openFile(`/contract/api/v3/contract/${letterOf}/dunningLetter`)}>
                打印催缴函
              </Button>
            </div>
          )}
          <RowTable
            schema={billReminders.reply.shape.list}
            rows={list}
            emptyText="还没有催缴过"
            columns={[
              "at",
              "by",
              "text",
              "who",
              {
                key: "state",
                show: (r) => (r.state === null ? NONE : <WordTag words={RECIPIENT_STATES} code={r.state} />),
              },
            ]}
          />
        </div>
      )}
    </Loaded>
  );
}
