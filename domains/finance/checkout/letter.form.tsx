import { download } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { type Chosen, leftOut, letter, previewLetters, printLetters } from "./letter.contract.ts";

type Props = { of: Chosen; onClose: () => void };

/** 打印催缴函: which letters there will be, and what none is about. */
export const LetterForm = ({ of, onClose }: Props) => (
  <Dialog title="打印催缴函" width={760} onClose={onClose}>
    <Loaded call={previewLetters} sent={{ body: of }} lines={6}>
      {({ letters, leftOut: left }) => (
        <div className="stack gap-8">
          <p className="asked" role="status">
            {`将打印 ${letters.length} 份催缴函，逾期未收合计 ${yuan(letters.reduce((sum, l) => sum + l.amount, 0))} 元。每份合同一份，列出该合同全部逾期账单和到今天为止的滞纳金。`}
          </p>
          <RowTable
            schema={letter}
            rows={letters}
            emptyText="没有需要催缴的合同"
            columns={[
              "partyName",
              "villageName",
              "rooms",
              "contractNo",
              "bills",
              { key: "amount", strong: true },
              "since",
            ]}
          />
          {left.length > 0 && (
            <>
              <p>{`${left.length} 笔账单没有列入`}</p>
              <RowTable schema={leftOut} rows={left} columns={["billNo", "why"]} emptyText="没有" />
            </>
          )}
          <div className="row gap-4 wrap">
            <Button
              look="main"
              icon="file"
              why={letters.length ? undefined : "没有可以出具的催缴函"}
              run={() => download(printLetters, { body: of })}
            >
              打印 {letters.length} 份催缴函
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  </Dialog>
);
