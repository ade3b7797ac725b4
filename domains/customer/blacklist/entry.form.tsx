import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DicInput } from "../../../platform/console/inputs/dic.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { BLACK } from "./blacklist.rules.ts";
import { addBlack, blackEntries, removeBlack } from "./entry.contract.ts";
import "../record/record.css";
import { UPLOADS } from "../../system/file/file.contract.ts";

type Named = { id: number; name: string };
type Entry = Reply<typeof blackEntries>[number];

/** 加入黑名单: how strictly, what for, and until when. */
export const BlackForm = ({ of, onClose }: { of: Named; onClose: () => void }) => (
  <FormDialog
    call={addBlack}
    title={`加入黑名单 ${of.name}`}
    ok="加入黑名单"
    done="已加入黑名单"
    initial={{ partyId: of.id, level: "forbid" }}
    width={520}
    onClose={onClose}
    note={({ level }) =>
      level === "forbid" ? "企业内全部门店不能再签约和预订" : "企业内全部门店签约时须填写说明"
    }
    fields={[
      "level",
      { key: "reasonKind", input: (p) => <DicInput {...p} kind="customer" group="blackReason" /> },
      {
        key: "reason",
        input: (p) => <TextInput {...p} rows={3} max={500} placeholder="事由经过，以及了解情况的人" />,
      },
      { key: "expiresOn", placeholder: "不填为长期" },
      {
        key: "fileIds",
        input: (p) => <PapersInput {...p} call={UPLOADS.paper10M} hint="图片或PDF，最多9个" />,
      },
    ]}
  />
);

/** What stands against a customer, and the way to take it off again. */
export function BlackEntries({ of, onClose }: { of: Named; onClose: () => void }) {
  const [lifting, setLifting] = useState<Entry>();
  const { data, error, refetch } = useQuery(ask(blackEntries, { query: { partyId: of.id } }));
  if (lifting)
    return (
      <FormDialog
        call={removeBlack}
        title={`解除黑名单 ${lifting.name}`}
        ok="解除"
        done="已解除黑名单"
        params={{ id: lifting.id }}
        initial={{ partyId: of.id, reason: "", version: lifting.version }}
        onClose={onClose}
        fields={["reason"]}
      />
    );
  return (
    <Dialog title={`黑名单记录 ${of.name}`} width={560} onClose={onClose}>
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={2} />
      ) : data.length === 0 ? (
        <Empty text="没有生效的黑名单记录" />
      ) : (
        data.map((entry) => (
          <section key={entry.id} className="black__entry">
            <p className="row">
              <WordTag words={BLACK} code={entry.level} />
              <b>{entry.reasonKind || "未注明原因"}</b>
              <span className="grow" />
              {may(removeBlack.needs) && (
                <Button size="sm" run={() => setLifting(entry)}>
                  解除
                </Button>
              )}
            </p>
            <p>{entry.reason}</p>
            <p className="row dim">
              {entry.creatorName && `${entry.creatorName}，`}
              {entry.fromOn} 至 {entry.expiresOn ?? "长期"}
              {entry.files.map((file) => (
                <button
                  key={file.id}
                  type="button"
                  className="linkish"
                  onClick={() => void openFile(getFile.path.replace(":id", String(file.id)))}
                >
                  {file.name}
                </button>
              ))}
            </p>
          </section>
        ))
      )}
    </Dialog>
  );
}
