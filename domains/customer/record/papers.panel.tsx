import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { PaperInput as OnePaper } from "../../../platform/console/files/papers-input.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { ActionButtons, RowActions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Need, Reply } from "../../../platform/kernel/call.ts";
import { addPaper, deletePaper, listPapers } from "../../party/paper/paper.contract.ts";
import { PAPER_STATES } from "../../party/paper/paper.rules.ts";
import { uploadFile } from "../../system/file/file.contract.ts";
import { PURPOSES, type PurposeName, bytesOf } from "../../system/file/purposes.rules.ts";
import "./record.css";

/** One file, kept as its number. */
export function PaperInput({ purpose, ...rest }: InputProps<number> & { purpose: PurposeName }) {
  const { cap, kinds } = PURPOSES[purpose];
  return (
    <OnePaper
      {...rest}
      call={uploadFile}
      purpose={purpose}
      accept={kinds.flatMap((k) => (k === "jpg" ? [".jpg", ".jpeg"] : [`.${k}`])).join(",")}
      maxBytes={bytesOf(cap)}
      hint={`${kinds.join("、")}，不超过 ${cap}`}
    />
  );
}

type Paper = Reply<typeof listPapers>[number];

/** Licences, permits and other papers; what ends soon stands out. A person has no licences. */
export function PapersTab({
  partyId,
  need,
  personal = false,
}: {
  partyId: number;
  need: Need;
  personal?: boolean;
}) {
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(ask(listPapers, { query: { partyId } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const due = data.filter((p) => p.state !== "valid");
  const actsOf = (p: Paper) => [
    { label: "打开", run: () => openFile(`/system/api/v3/file/${p.fileId}`) },
    deleteAction(deletePaper, p, { title: "删除附件", body: `确定删除${p.name}吗？`, ok: "删除", need }),
  ];
  return (
    <>
      {due.length > 0 && (
        <p className="notice s-orange" role="status">
          待办：{due.map((p) => `${p.name} ${p.endDay} 到期`).join("、")}，请联系对方换发并上传
        </p>
      )}
      <div className="party__tools">
        <ActionButtons actions={[{ label: "上传附件", icon: "upload", need, run: () => setAdding(true) }]} />
      </div>
      <RowTable
        schema={listPapers.reply}
        rows={data}
        columns={[
          "name",
          "kind",
          { key: "endDay", show: (p) => p.endDay ?? "长期" },
          {
            key: "state",
            show: (p) => (p.endDay ? <WordTag words={PAPER_STATES} code={p.state} /> : NONE),
          },
          "createdName",
          "createdAt",
          { own: "acts", title: "操作", show: (p) => <RowActions actions={actsOf(p)} /> },
        ]}
        emptyText={personal ? "还没有附件，可上传居住证、在职证明等" : "还没有附件，可上传营业执照、许可证等"}
      />
      {adding && (
        <FormDialog
          call={addPaper}
          title="上传附件"
          ok="上传"
          done="附件已上传"
          initial={personal ? { partyId, kind: "other" } : { partyId, kind: "licence", name: "营业执照" }}
          onClose={() => setAdding(false)}
          fields={[
            ...(personal ? [] : (["kind"] as const)),
            "name",
            { key: "fileId", input: (p) => <PaperInput {...p} purpose="paper10M" /> },
            { key: "endDay", help: "到期前 30 天提醒门店店长，长期有效请留空" },
          ]}
        />
      )}
    </>
  );
}
