import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { KINDS } from "../terms/kind.rules.ts";
import {
  archiveFile,
  destroyArchive,
  extendLoan,
  getArchive,
  lendArchive,
  lendSlip,
  loseArchive,
  moveArchive,
  returnArchive,
  shelfGrid,
  storeArchives,
  verifyArchive,
} from "./archive.contract.ts";
import { type ArchiveRow, ExtendForm, LendForm, MoveForm, ReturnForm, StoreForm } from "./archive.form.tsx";
import { ARCHIVE_MOVES, ARCHIVE_STATES, type ArchiveMove, HASH_STATES, MEDIA } from "./archive.rules.ts";
import "../contract/contract.css";

const FROZEN = "审批中，不能修改";
const FORMS = { relocate: MoveForm, lend: LendForm, takeBack: ReturnForm, extend: ExtendForm } as const;
type Open = { key: keyof typeof FORMS | "store"; of: ArchiveRow };

/** What can be done with an original, with the sentence where it cannot, and the layer that an act has opened. */
export function useArchiveActs(): [of: (a: ArchiveRow) => Actions, layer: ReactNode] {
  const act = useAct();
  const [open, setOpen] = useState<Open>();
  const of = (a: ArchiveRow): Actions => {
    const why = (move: ArchiveMove) =>
      ARCHIVE_MOVES.refusal(move, { ...a, status: a.state }) ?? (a.frozen ? FROZEN : undefined);
    const opens = (key: Open["key"]) => ({ why: why(key), run: () => setOpen({ key, of: a }) });
    const sent = { params: { id: a.id }, body: { version: a.version } };
    const path = `/contract/api/v3/archive/${a.id}`;
    return [
      { label: "归档", does: storeArchives, ...opens("store") },
      a.medium === "paper" && { label: "借出", does: lendArchive, ...opens("lend") },
      { label: "归还", does: returnArchive, ...opens("takeBack") },
      { label: "续借", does: extendLoan, ...opens("extend") },
      a.state === "lent" && { label: "打印借条", does: lendSlip, run: () => openFile(`${path}/slip`) },
      a.medium === "paper" && { label: "改库位", does: moveArchive, ...opens("relocate") },
      a.hasFile &&
        a.state !== "destroyed" && {
          label: "查看文件",
          does: archiveFile,
          run: () => openFile(`${path}/file`),
        },
      a.hasFile && {
        label: "验签",
        does: verifyArchive,
        run: async () => {
          const reply = await act(verifyArchive, { params: { id: a.id } });
          if (reply) toast(reply.said, reply.same ? "success" : "error");
        },
      },
      a.medium === "paper" && {
        label: "遗失登记",
        does: loseArchive,
        danger: true,
        why: why("lose"),
        run: () =>
          act(loseArchive, sent, {
            done: "已登记遗失",
            reason: { title: `遗失登记 ${a.archiveNo}`, ok: "登记遗失" },
          }),
      },
      {
        label: "销毁",
        does: destroyArchive,
        danger: true,
        why: why("destroy"),
        run: () =>
          act(destroyArchive, sent, {
            done: "已销毁",
            reason: { title: `销毁 ${a.archiveNo}`, text: "销毁后不能恢复。", ok: "销毁" },
          }),
      },
    ];
  };
  const Form = open && open.key !== "store" && FORMS[open.key];
  const close = () => setOpen(undefined);
  const layer = Form ? (
    <Form of={open.of} onClose={close} />
  ) : open ? (
    <StoreForm of={[open.of]} onClose={close} />
  ) : null;
  return [of, layer];
}

/** What is opened here is a copy; who may open the contract finds the original among its files. */
function FileName({ of: a }: { of: Reply<typeof getArchive> }) {
  if (!a.fileName) return NONE;
  const to = reach(KINDS[a.contractKind].path, { id: a.contractId, part: "papers" });
  return (
    <span className="row wrap">
      {a.fileName}
      <span className="sub">
        查看的是带水印的查阅件，原件见合同的{to ? <Link to={to}>文件</Link> : "“文件”"}
      </span>
    </span>
  );
}

/** The due day, in red when it has passed. */
export const DueDay = ({ of }: { of: Pick<ArchiveRow, "dueOn" | "today"> }) =>
  of.dueOn === null ? NONE : <span className={of.dueOn < of.today ? "neg" : ""}>{of.dueOn}</span>;

/** One original: what it is, where it is, who has had it. */
export function ArchiveDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useArchiveActs();
  return (
    <>
      <Detail
        call={getArchive}
        sent={{ params: { id } }}
        title={(a) => a.archiveNo}
        tags={(a) => (
          <>
            <WordTag words={ARCHIVE_STATES} code={a.state} />
            {a.hasFile && <WordTag words={HASH_STATES} code={a.hashState} dot={false} />}
          </>
        )}
        facts={[
          "docKind",
          {
            key: "contractNo",
            show: (a) => {
              const to = reach(KINDS[a.contractKind].path, { id: a.contractId });
              return to ? <Link to={to}>{a.contractNo}</Link> : a.contractNo;
            },
          },
          "partyName",
          "villageName",
          { key: "roomNames", wide: true, show: (a) => <Rooms names={a.roomNames} beside={a.villageName} /> },
          { title: "介质", show: (a) => `${MEDIA[a.medium][0]}，${a.copies} 份` },
          { key: "place", show: (a) => a.place || NONE },
          "archivedOn",
          { key: "archivedBy", show: (a) => a.archivedBy || NONE },
          { key: "borrowerName", show: (a) => a.borrowerName || NONE },
          { key: "dueOn", show: (a) => <DueDay of={a} /> },
          "retentionUntil",
          { key: "fileName", wide: true, show: (a) => <FileName of={a} /> },
          { key: "hashCheckedAt" },
          { key: "fileHash", wide: true, show: (a) => a.fileHash ?? NONE },
          { key: "reason", wide: true, show: (a) => a.reason || NONE },
        ]}
        actions={(a) => actsOf(a).map((one, i) => one && { ...one, main: i < 3 && !one.why })}
        tabs={[
          {
            key: "loans",
            title: "借阅记录",
            count: (a) => a.loans.length,
            view: (a) => (
              <RowTable
                schema={getArchive.reply.shape.loans}
                rows={a.loans}
                flat
                emptyText="没有借出过"
                columns={[
                  "borrowerName",
                  "purpose",
                  "lentOn",
                  "dueOn",
                  "returnedOn",
                  "condition",
                  "note",
                  "lentBy",
                ]}
              />
            ),
          },
        ]}
        log="archive"
        slot="archive.tabs"
      />
      {layer}
    </>
  );
}

const uniq = (all: readonly string[]) =>
  [...new Set(all)].toSorted((a, b) => a.localeCompare(b, "zh", { numeric: true }));

/** Cabinet by shelf, each with how much lies there; a click shows what. */
export function ShelfPicture({
  query,
  filter,
}: {
  query: Record<string, unknown>;
  filter: (patch: Patch) => void;
}) {
  const villageIds = query["villageIds"] as string | undefined;
  const { data } = useQuery(ask(shelfGrid, { query: { ...(villageIds && { villageIds }) } }));
  if (!data?.length) return <p className="dim">还没有上架的档案</p>;
  return (
    <div className="stack gap-8">
      {uniq(data.map((s) => s.warehouse)).map((warehouse) => {
        const here = data.filter((s) => s.warehouse === warehouse);
        const cabinets = uniq(here.map((s) => s.cabinet));
        return (
          <table key={warehouse} className="shelf" aria-label={`仓库 ${warehouse}`}>
            <thead>
              <tr>
                <th scope="col">{warehouse}</th>
                {cabinets.map((cabinet) => (
                  <th key={cabinet} scope="col">
                    {cabinet ? `柜 ${cabinet}` : "无柜"}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {uniq(here.map((s) => s.shelf)).map((shelf) => (
                <tr key={shelf}>
                  <th scope="row">{shelf ? `层 ${shelf}` : "无层"}</th>
                  {cabinets.map((cabinet) => {
                    const spot = here.find((s) => s.cabinet === cabinet && s.shelf === shelf);
                    return (
                      <td key={cabinet}>
                        {spot && (
                          <button
                            type="button"
                            className="shelf__spot"
                            aria-pressed={query["place"] === spot.place}
                            onClick={() =>
                              filter({ place: query["place"] === spot.place ? undefined : spot.place })
                            }
                          >
                            {spot.count}
                            {spot.lent > 0 && <small>借 {spot.lent}</small>}
                          </button>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}
