import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import {
  approveApplication,
  assignApplications,
  cancelApplication,
  changeApplicationRoom,
  convertApplication,
  editApplication,
  getApplication,
  holdApplication,
  recommendRooms,
  rejectApplication,
} from "../lease-application/application.contract.ts";
import {
  APPLICANTS,
  APPLICATION_MOVES,
  APPLICATION_STATES,
  type ApplicationMove,
  ROOM_STATES,
  WARNINGS,
} from "../lease-application/application.rules.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { KINDS, permitOf } from "../terms/kind.rules.ts";
import {
  ApplicationForm,
  type ApplicationRow,
  ApproveForm,
  AssignForm,
  HoldForm,
} from "./application.form.tsx";

const BOOKING = "/configuration/BookingManagement";

/** What can be done with a request, with the sentence where it cannot, and the layer that an act has opened. */
export function useApplicationActs(): [of: (a: ApplicationRow) => Actions, layer: ReactNode] {
  const act = useAct();
  const go = useGo();
  const [open, setOpen] = useState<{ key: "approve" | "hold" | "assign" | "rooms"; of: ApplicationRow }>();
  const close = () => setOpen(undefined);
  const of = (a: ApplicationRow): Actions => {
    const why = (move: ApplicationMove) => APPLICATION_MOVES.refusal(move, { ...a, status: a.state });
    const sent = { params: { id: a.id }, body: { version: a.version } };
    return [
      {
        label: "审核通过",
        does: approveApplication,
        why: why("approve"),
        run: () => setOpen({ key: "approve", of: a }),
      },
      {
        label: "转合同",
        need: permitOf(a.partyType, "add"),
        why: why("convert"),
        run: async () => {
          const { kind, contractId } = await send(convertApplication, sent);
          go(KINDS[kind].path, { draft: contractId });
        },
      },
      {
        label: "拒绝",
        does: rejectApplication,
        danger: true,
        why: why("reject"),
        run: () =>
          act(rejectApplication, sent, {
            done: "已拒绝，并短信通知申请人",
            reason: { title: `拒绝 ${a.name} 的申请`, text: "原因会随短信发给申请人。", ok: "拒绝" },
          }),
      },
      {
        label: "换房推荐",
        does: recommendRooms,
        why: why("changeRoom"),
        run: () => setOpen({ key: "rooms", of: a }),
      },
      {
        label: "保留房间",
        does: holdApplication,
        why: why("hold"),
        run: () => setOpen({ key: "hold", of: a }),
      },
      {
        label: "指派审核人",
        does: assignApplications,
        why: why("assign"),
        run: () => setOpen({ key: "assign", of: a }),
      },
      {
        label: "取消",
        does: cancelApplication,
        danger: true,
        why: why("cancel"),
        run: () =>
          act(cancelApplication, sent, {
            done: "已取消",
            reason: { title: `取消申请 ${a.applyNo}`, ok: "取消申请" },
          }),
      },
    ];
  };
  const layer =
    open?.key === "approve" ? (
      <ApproveForm of={open.of} onClose={close} />
    ) : open?.key === "hold" ? (
      <HoldForm of={open.of} onClose={close} />
    ) : open?.key === "assign" ? (
      <AssignForm of={[open.of]} onClose={close} />
    ) : open?.key === "rooms" ? (
      <RoomsDialog of={open.of} onClose={close} />
    ) : null;
  return [of, layer];
}

/** 换房推荐: rooms like the one asked for, each to be put in its place; of several it is said which one is changed. */
function RoomsDialog({ of, onClose }: { of: ApplicationRow; onClose: () => void }) {
  const act = useAct();
  const version = of.version;
  const several = of.roomIds.length > 1;
  const [chosen, setChosen] = useState<number>();
  const { data: asked } = useQuery({
    ...ask(roomOptions, {
      query: { villageId: of.villageId, ids: of.roomIds.join(","), from: of.wantStart, limit: 200 },
    }),
    enabled: several,
  });
  const insteadId = several ? (chosen ?? asked?.find((r) => !r.free)?.id ?? asked?.[0]?.id) : undefined;
  return (
    <Dialog
      title={`换房推荐 ${of.applyNo}`}
      width={760}
      onClose={onClose}
      footer={<Button run={onClose}>关闭</Button>}
    >
      <p className="asked">
        {of.villageName} {of.wantStart} 起 {of.wantMonths} 个月内空置、同类型
        {of.budget === null || several ? "、租金相近" : "、不超过预算"}的房间
      </p>
      {several && (
        <div className="row gap-4">
          <label htmlFor="instead">要换的房间</label>
          <OptionSelect
            id="instead"
            value={insteadId}
            onChange={setChosen}
            options={(asked ?? []).map((r) => ({
              value: r.id,
              label: r.free ? r.fullName : `${r.fullName}（${r.why}）`,
            }))}
          />
        </div>
      )}
      {several && insteadId === undefined ? null : (
        <Loaded
          key={insteadId}
          call={recommendRooms}
          sent={{ params: { id: of.id }, query: { ...(insteadId && { insteadId }) } }}
          empty="没有合适的空房，可以调整起租日或预算"
        >
          {(rooms) => (
            <RowTable
              schema={recommendRooms.reply}
              rows={rooms}
              flat
              columns={[
                { key: "fullName", width: 200 },
                "layout",
                "area",
                "orientation",
                "capacity",
                { key: "listPrice", strong: true },
                {
                  own: "choose",
                  title: "操作",
                  show: (room) =>
                    may(changeApplicationRoom.needs) && (
                      <Button
                        look="text"
                        run={async () => {
                          const body = { version, roomId: room.id, ...(insteadId && { insteadId }) };
                          await act(
                            changeApplicationRoom,
                            { params: { id: of.id }, body },
                            { done: "已换房" },
                          );
                          onClose();
                        }}
                      >
                        选用
                      </Button>
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

/** One request: who asks for what, what is known of them, what came of it. */
export function ApplicationDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useApplicationActs();
  const [editing, setEditing] = useState<Reply<typeof getApplication>>();
  return (
    <>
      <Detail
        call={getApplication}
        sent={{ params: { id } }}
        title={(a) => `${a.name} ${a.applyNo}`}
        tags={(a) => (
          <>
            <WordTag words={APPLICATION_STATES} code={a.state} />
            {a.roomState && <WordTag words={ROOM_STATES} code={a.roomState} dot={false} />}
            {a.warnings.map((code) => (
              <WordTag key={code} words={WARNINGS} code={code} dot={false} />
            ))}
          </>
        )}
        strip={(a) => [
          ...(a.listPrice === null ? [] : [{ title: "标价", fen: a.listPrice }]),
          ...(a.budget === null ? [] : [{ title: "预算", fen: a.budget }]),
        ]}
        facts={[
          { title: "类型", show: (a) => APPLICANTS[a.partyType][0] + (a.firmName && `：${a.firmName}`) },
          "phone",
          { key: "certNo", show: (a) => a.certNo ?? a.creditCode ?? NONE },
          "villageName",
          { key: "target", wide: true },
          "wantStart",
          "wantMonths",
          "occupants",
          "source",
          { key: "reviewerName", show: (a) => a.reviewerName || NONE },
          "createdAt",
          {
            key: "expiresOn",
            show: (a) => (a.state === "submitted" ? a.expiresOn : NONE),
          },
          {
            key: "leadNumber",
            show: (a) => linked(a.leadNumber, reach(BOOKING, { tab: "all", id: a.leadId ?? 0 })),
          },
          {
            key: "reservationNo",
            show: (a) =>
              linked(a.reservationNo, reach(BOOKING, { tab: "reservation", id: a.reservationId ?? 0 })),
          },
          {
            key: "contractNo",
            show: (a) => linked(a.contractNo, reach(KINDS[a.partyType].path, { id: a.contractId ?? 0 })),
          },
          { key: "reviewNote", wide: true, show: (a) => a.reviewNote || NONE },
          { key: "remark", wide: true, show: (a) => a.remark || NONE },
        ]}
        actions={(a) => [
          ...actsOf(a).map((one, i) => one && { ...one, main: i < 2 && !one.why }),
          {
            label: "编辑",
            does: editApplication,
            why: APPLICATION_MOVES.refusal("edit", { ...a, status: a.state }),
            run: () => setEditing(a),
          },
        ]}
        tabs={[
          {
            key: "papers",
            title: "材料",
            count: (a) => a.papers.length,
            view: (a) =>
              a.papers.length ? (
                <ul className="stack gap-4">
                  {a.papers.map((file) => (
                    <li key={file.id} className="row">
                      <Button look="text" icon="file" run={() => openFile(`/system/api/v3/file/${file.id}`)}>
                        {file.name}
                      </Button>
                    </li>
                  ))}
                </ul>
              ) : (
                <Empty text="没有上传材料" />
              ),
          },
        ]}
        log="leaseApplication"
        slot="leaseApplication.tabs"
      />
      {layer}
      {editing && <ApplicationForm application={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

const linked = (text: string | null, to: string | undefined) =>
  text === null ? NONE : to ? <Link to={to}>{text}</Link> : text;
