import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { ListTable } from "../../../platform/console/list/list-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { cashBoxes, closeShift, getShift, listShifts, openShift, takersOf } from "./shift.contract.ts";
import "../flow-list/flow.css";

type Box = Reply<typeof cashBoxes>[number];
const at = (time: string | null) => (time ? timeInZone(time).slice(0, 16) : "");
const diffSaid = (counted: number | undefined, booked: number): string => {
  if (counted === undefined) return `账面 ${yuan(booked)} 元`;
  const diff = counted - booked;
  return diff ? `比账面${diff < 0 ? "少" : "多"} ${yuan(Math.abs(diff))} 元` : "与账面一致";
};

/** A box that stores share is handed over in the store that answers for it. */
const elsewhere = ({ shift }: Box, villageId: number): string | undefined =>
  shift && shift.villageId !== villageId ? `该现金箱在${shift.villageName}当班中，请由该店交班` : undefined;

/** 交接班: who answers for the cash box, from counting it to counting it again. */
export function ShiftPanel() {
  const [address, set] = useAddress();
  const villageId = Number(address.get("villageId")) || undefined;
  const [open, setOpen] = useState<Box>();
  const [shown, setShown] = useState<number>();
  const boxes = useQuery({
    ...ask(cashBoxes, { query: { villageId: villageId ?? 0 } }),
    enabled: villageId !== undefined,
  });
  return (
    <div className="stack gap-6 scroll">
      <section className="card counter__form stack gap-6">
        <div className="counter__find">
          <VillageSelect
            value={villageId}
            onChange={(next) => set({ villageId: next })}
            onBlur={() => undefined}
            id="shift-village"
            placeholder="选择门店"
          />
        </div>
        {villageId === undefined ? (
          <Empty text="选择门店后开班或交班" />
        ) : boxes.error && !boxes.data ? (
          <Broken error={boxes.error} retry={boxes.refetch} />
        ) : !boxes.data ? (
          <RowsSkeleton rows={2} />
        ) : boxes.data.length ? (
          boxes.data.map((box) => (
            <div key={box.id} className="row wrap between">
              <div className="stack gap-1">
                <span className="row">
                  <b>{box.name}</b>
                  <StatusTag tone={box.shift ? "green" : "grey"}>{box.shift ? "当班中" : "未开班"}</StatusTag>
                </span>
                <span className="sub fs-13">
                  账面现金 {yuan(box.booked)} 元
                  {box.shift &&
                    `，${at(box.shift.openedAt)} ${box.shift.opener} 在${box.shift.villageName}开班`}
                </span>
              </div>
              <Button look="main" why={elsewhere(box, villageId)} run={() => setOpen(box)}>
                {box.shift ? "交班" : "开班"}
              </Button>
            </div>
          ))
        ) : (
          <Empty text="该门店没有现金账户" />
        )}
      </section>
      <section className="card counter__form">
        <ListTable
          call={listShifts}
          query={{ villageIds: villageId, pageSize: 30 }}
          flat
          emptyText="还没有交接班记录"
          columns={[
            { key: "openedAt", show: (s) => at(s.openedAt) },
            "accountName",
            "opener",
            "openingCounted",
            { key: "closedAt", show: (s) => (s.closedAt ? at(s.closedAt) : "当班中") },
            "closingBooked",
            "closingCounted",
            "diff",
            "taker",
            {
              own: "sheet",
              title: "",
              show: (s) => (
                <button type="button" className="linkish" onClick={() => setShown(s.id)}>
                  交接单
                </button>
              ),
            },
          ]}
        />
      </section>
      {open && villageId !== undefined && (
        <CountForm
          box={open}
          villageId={villageId}
          onDone={(id) => open.shift && setShown(id)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {shown !== undefined && <SheetDialog id={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

type CountProps = { box: Box; villageId: number; onDone: (id: number) => void; onClose: () => void };

/** The cash is counted: what differs from the books is explained, and booked by the acts that are there for it. */
function CountForm({ box, villageId, onDone, onClose }: CountProps) {
  const { booked, shift } = box;
  const differs = (now: { counted?: number | undefined }) =>
    now.counted !== undefined && now.counted !== booked;
  const shared = {
    width: 480,
    onClose,
    onDone: ({ id }: { id: number }) => onDone(id),
    note: (now: { counted?: number | undefined }) => diffSaid(now.counted, booked),
  };
  const note = {
    key: "note" as const,
    must: true,
    when: differs,
    help: "差额只写在交接单上；短款、长款在缴款管理或记一笔中入账",
  };
  if (!shift)
    return (
      <FormDialog
        {...shared}
        call={openShift}
        title={`开班 ${box.name}`}
        ok="开班"
        done="已开班"
        initial={{ villageId, merchantAccountId: box.id, booked }}
        fields={["counted", note]}
      />
    );
  return (
    <FormDialog
      {...shared}
      call={closeShift}
      title={`交班 ${box.name}`}
      ok="交班"
      done="已交班"
      params={{ id: shift.id }}
      initial={{ version: shift.version, booked } satisfies Partial<Body<typeof closeShift>>}
      fields={[
        "counted",
        note,
        {
          key: "takerId",
          input: (p) => <RecordSelect {...p} source={takersOf(villageId)} placeholder="接班的收银员" />,
        },
      ]}
    />
  );
}

/** The sheet that both sign. Printing shows nothing else of the page. */
function SheetDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Dialog
      title="交接单"
      width={720}
      onClose={onClose}
      footer={
        <Foot cancel={onClose} word="关闭">
          <Button look="main" icon="print" run={() => print()}>
            打印
          </Button>
        </Foot>
      }
    >
      <Loaded call={getShift} sent={{ params: { id } }} lines={6}>
        {(s) => <Sheet of={s} />}
      </Loaded>
    </Dialog>
  );
}

const Sheet = ({ of }: { of: Reply<typeof getShift> }) => (
  <article className="slip fs-13" aria-label="交接单">
    <header>
      <h1>收银交接单</h1>
      <p className="row gap-0 between">
        <span>{of.villageName}</span>
        <span>{of.accountName}</span>
      </p>
    </header>
    <dl className="grid">
      <dt>开班</dt>
      <dd>
        {at(of.openedAt)} {of.opener}
      </dd>
      <dt>交班</dt>
      <dd>{of.closedAt ? `${at(of.closedAt)} ${of.closer}` : "当班中"}</dd>
      <dt>开班现金</dt>
      <dd>
        实点 {yuan(of.openingCounted)}，账面 {yuan(of.openingBooked)}
        {of.openingNote && `（${of.openingNote}）`}
      </dd>
      <dt>接班人</dt>
      <dd>{of.taker ?? NONE}</dd>
    </dl>
    <table>
      <Heads of={["收款渠道", ["笔数", "num"], ["金额（元）", "num"]]} />
      <tbody>
        {of.channels.map(({ channel, count, amount }) => (
          <tr key={channel}>
            <td>{CHANNELS[channel][0]}</td>
            <td className="num">{count}</td>
            <td className="num">
              <Money fen={amount} />
            </td>
          </tr>
        ))}
        {!of.channels.length && (
          <tr>
            <td colSpan={3}>本班没有收款</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <td>合计</td>
          <td className="num">{of.channels.reduce((sum, c) => sum + c.count, 0)}</td>
          <td className="num">
            <b>{yuan(of.channels.reduce((sum, c) => sum + c.amount, 0))}</b>
          </td>
        </tr>
      </tfoot>
    </table>
    <table>
      <Heads of={["现金变动", ["金额（元）", "num"]]} />
      <tbody>
        <tr>
          <td>开班账面</td>
          <td className="num">
            <Money fen={of.openingBooked} />
          </td>
        </tr>
        {of.moves.map(({ name, amount }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="num">
              <Money fen={amount} />
            </td>
          </tr>
        ))}
      </tbody>
      {of.closingBooked !== null && (
        <tfoot>
          <tr>
            <td>交班账面</td>
            <td className="num">
              <b>{yuan(of.closingBooked)}</b>
            </td>
          </tr>
          <tr>
            <td>交班实点{of.diff ? `，${of.diff < 0 ? "短" : "长"} ${yuan(Math.abs(of.diff))}` : ""}</td>
            <td className="num">
              <b>{yuan(of.closingCounted ?? 0)}</b>
            </td>
          </tr>
        </tfoot>
      )}
    </table>
    {of.closingNote && <p className="slip__remark">说明：{of.closingNote}</p>}
    <footer className="grid gap-6">
      <span>交班人签字：</span>
      <span>接班人签字：</span>
      <span>店长签字：</span>
    </footer>
  </article>
);
