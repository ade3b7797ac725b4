import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { ask, fetchFile, send } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Figure } from "../../../platform/console/charts/figure.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { today, useOperator } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { lastOf } from "../../../platform/kernel/day.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { PartyMessages } from "../send-log/party.panel.tsx";
import { AccountsTab, TitlesTab } from "../record/accounts.panel.tsx";
import { PartyBills, PartyFlows } from "../record/money.panel.tsx";
import { PapersTab } from "../record/papers.panel.tsx";
import { Picture, type Picturing } from "../record/picture.panel.tsx";
import { RecordLog, SecretText } from "../record/secret.panel.tsx";
import { PartyViewings } from "../viewing/party.panel.tsx";
import { type REVEALABLE, revealRenter } from "../renter/acts.contract.ts";
import { CustomerNotices, Received, moneyStrip } from "./parts.panel.tsx";
import type { RenterActs } from "./renter-acts.panel.tsx";
import { getRenter, renterStrip, renterSummary } from "../renter/renter.contract.ts";
import { Tags } from "../renter/tags.panel.tsx";
import { CERT_TYPES, STAGES, VERIFY } from "../renter/words.rules.ts";
import "../record/record.css";

const WIDEST = 1280;

/** The words over and over across the picture, so that no part of it goes without them. */
function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, words: string): void {
  const scale = Math.min(1, WIDEST / picture.width);
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext("2d")!;
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const size = Math.max(14, Math.round(canvas.width / 36));
  pen.font = `${size}px sans-serif`;
  pen.fillStyle = "rgba(200, 0, 0, 0.35)";
  pen.rotate(-Math.PI / 8);
  const step = pen.measureText(words).width + size * 2;
  for (let y = 0; y < canvas.height + canvas.width; y += size * 4)
    for (let x = -canvas.height; x < canvas.width * 1.5; x += step) pen.fillText(words, x, y);
}

/** A picture of a certificate, shown with who looks at it and when, never as it was taken. */
export function PaperView({ id, title, onClose }: { id: number; title: string; onClose: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const name = useOperator()?.name ?? "";
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ shown?: true; error?: unknown }>({});
  useEffect(() => {
    const gone = new AbortController();
    setState({});
    fetchFile(getFile, { params: { id } }, { signal: gone.signal })
      .then(async ({ blob }) => createImageBitmap(blob))
      .then((picture) => {
        if (!canvas.current) return;
        draw(canvas.current, picture, `${name} ${today()} 仅供核验`);
        setState({ shown: true });
      })
      .catch((error: unknown) => gone.signal.aborted || setState({ error }));
    return () => gone.abort();
  }, [id, name, round]);
  return (
    <Dialog title={title} width={760} onClose={onClose}>
      {state.error !== undefined && <Broken error={state.error} retry={() => setRound(round + 1)} />}
      {!state.shown && state.error === undefined && <RowsSkeleton rows={4} />}
      <canvas
        ref={canvas}
        role="img"
        aria-label={title}
        className="paper__picture"
        hidden={!state.shown}
        onContextMenu={(event) => event.preventDefault()}
      />
    </Dialog>
  );
}

type Props = {
  id: number;
  field: (typeof REVEALABLE)[number];
  title: string;
  masked: string | null;
};

/** A number of a renter that is masked until whoever may look says why. */
export const Secret = ({ id, field, title, masked }: Props) => (
  <SecretText
    title={title}
    masked={masked}
    need={revealRenter.needs}
    reveal={(reason) => send(revealRenter, { params: { id }, body: { field, reason } })}
  />
);

/** Who lives with the renter; changed on the contract. */
export function Occupants({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(renterSummary, { params: { id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={renterSummary.reply.shape.occupants}
      rows={data.occupants}
      columns={["name", "phone", "certNo", "relation", "roomName", "fromDate", "toDate", "lockAccess"]}
      emptyText="没有同住人，可在合同的“房间与入住人”中登记"
    />
  );
}

type Renter = Reply<typeof getRenter>;
type Summary = Reply<typeof renterSummary>;

/** One figure of the summary, which is counted apart so that the record never waits for it. */
function Summed({ id, show }: { id: number; show: (s: Summary) => React.ReactNode }) {
  const { data } = useQuery(ask(renterSummary, { params: { id } }));
  return data ? show(data) : <span className="dim">…</span>;
}

/** A tenant: who, where, what is owed, what happened. */
export const RenterDrawer = ({ id, acts }: { id: number; acts: RenterActs }) => (
  <Detail
    call={getRenter}
    sent={{ params: { id } }}
    width={960}
    title={(r) => r.name}
    tags={(r) => (
      <>
        <WordTag words={STAGES} code={r.stage} />
        <WordTag words={VERIFY} code={r.verify} dot={false} />
        {r.anonymisedAt && <StatusTag tone="grey">已匿名</StatusTag>}
      </>
    )}
    strip={(r) => [
      ...moneyStrip(r),
      {
        title: "累计实收",
        show: <Summed id={r.id} show={(s) => <Received id={r.id} fen={s.received} />} />,
      },
      {
        title: "累计在住",
        show: <Summed id={r.id} show={(s) => `${s.livedDays.toLocaleString("en-US")} 天`} />,
      },
    ]}
    facts={[
      { key: "phone", show: (r) => <Secret id={r.id} field="phone" title="手机" masked={r.phone} /> },
      {
        title: "证件",
        show: (r) => (
          <span className="row">
            {r.certType && <span className="dim">{CERT_TYPES[r.certType][0]}</span>}
            <Secret id={r.id} field="certNo" title="证件号" masked={r.certNo} />
          </span>
        ),
      },
      { title: "性别 / 生日", show: (r) => <Person renter={r} /> },
      { key: "roomName", show: (r) => <Room renter={r} /> },
      { key: "endDate", show: (r) => r.endDate ?? NONE },
      { title: "核验", show: (r) => r.verifyNote || NONE },
      { title: "标签", show: (r) => <Tags tags={r.tags} /> },
      "sourceName",
      { title: "门店", show: (r) => r.villages.map((v) => v.name).join("、") || NONE },
      {
        title: "紧急联系人",
        show: (r) =>
          r.emergencyName ? (
            <span className="row">
              {r.emergencyName}
              {r.emergencyRelation && <span className="dim">{r.emergencyRelation}</span>}
              <Secret id={r.id} field="emergencyPhone" title="紧急联系电话" masked={r.emergencyPhone} />
            </span>
          ) : (
            NONE
          ),
      },
      {
        title: "监护人",
        show: (r) =>
          r.guardianName ? (
            <span className="row">
              {r.guardianName}
              <Secret id={r.id} field="guardianPhone" title="监护人电话" masked={r.guardianPhone} />
            </span>
          ) : (
            NONE
          ),
      },
      { title: "职业 / 单位", show: (r) => [r.occupation, r.employer].filter(Boolean).join(" / ") || NONE },
      { title: "国籍 / 邮箱", show: (r) => [r.nationality, r.email].filter(Boolean).join(" / ") || NONE },
      { title: "证件照", show: (r) => <Papers renter={r} /> },
      "createdAt",
      { key: "remark", wide: true },
    ]}
    actions={(r) => acts.of(r).map((a, i) => a && { ...a, main: i === 0 })}
    tabs={[
      { key: "bills", title: "账单", need: "26.query", view: (r) => <PartyBills of={r} /> },
      { key: "flows", title: "流水", need: "102.query", view: (r) => <PartyFlows of={r} /> },
      { key: "occupants", title: "同住人", view: (r) => <Occupants id={r.id} /> },
      { key: "titles", title: "发票抬头", view: (r) => <TitlesTab party={r} need="16.edit" /> },
      {
        key: "accounts",
        title: "银行账户",
        view: (r) => (
          <AccountsTab
            party={r}
            need="16.edit"
            secret={revealRenter.needs}
            reveal={(partId, reason) =>
              send(revealRenter, { params: { id: r.id }, body: { field: "bankNumber", partId, reason } })
            }
          />
        ),
      },
      {
        key: "viewings",
        title: "来访看房",
        need: "15.query",
        view: (r) => <PartyViewings partyId={r.id} />,
      },
      {
        key: "messages",
        title: "消息记录",
        need: "18.query",
        view: (r) => <PartyMessages partyId={r.id} />,
      },
      { key: "papers", title: "附件", view: (r) => <PapersTab partyId={r.id} need="16.edit" personal /> },
      { key: "log", title: "日志", view: (r) => <RecordLog kind="renter" id={r.id} /> },
    ]}
    slot="renter.tabs"
  >
    {(r) => <CustomerNotices of={r} />}
  </Detail>
);

const Person = ({ renter: { gender, birthday } }: { renter: Renter }) =>
  gender || birthday ? (
    <>{[gender && (gender === "male" ? "男" : "女"), birthday].filter(Boolean).join(" / ")}</>
  ) : (
    NONE
  );

const Room = ({ renter: { roomId, roomName } }: { renter: Renter }) => {
  const to = roomId ? reach("/configuration/apartment", { room: roomId }) : undefined;
  return roomName ? to ? <Link to={to}>{roomName}</Link> : <>{roomName}</> : NONE;
};

function Papers({ renter: r }: { renter: Renter }) {
  const papers = [
    ["正面", r.certFrontFileId],
    ["反面", r.certBackFileId],
    ["照片", r.photoFileId],
  ] as const;
  const there = papers.filter(([, id]) => id !== null);
  const [seen, setSeen] = useState<{ id: number; word: string }>();
  if (!there.length) return NONE;
  return (
    <span className="row">
      {there.map(([word, id]) => (
        <button key={word} type="button" className="linkish" onClick={() => setSeen({ id: id!, word })}>
          {word}
        </button>
      ))}
      {seen && (
        <PaperView
          id={seen.id}
          title={`${seen.word === "照片" ? "" : "证件"}${seen.word} ${r.name}`}
          onClose={() => setSeen(undefined)}
        />
      )}
    </span>
  );
}

/** How many of each stage, and how many new each month; a click shows them. */
export const RenterPicture = ({ query, filter }: Picturing) => (
  <Picture call={renterStrip} query={query}>
    {(data) => (
      <>
        <h3>各阶段人数</h3>
        <div className="stages grid gap-2">
          {data.stages.map((s) => (
            <Figure
              key={s.stage}
              title={STAGES[s.stage][0]}
              value={s.count.toLocaleString("en-US")}
              unit="人"
              run={() => filter({ stage: s.stage })}
            />
          ))}
        </div>
        <h3>近 12 个月新增</h3>
        <Chart
          kind="bar"
          title="近 12 个月新增租客"
          height={200}
          labels={data.months.map((m) => m.month.slice(2))}
          series={[{ name: "新增", values: data.months.map((m) => m.count), tone: "blue" }]}
          onPick={(_label, i) => {
            const month = data.months[i]?.month;
            if (month) filter({ createdFrom: `${month}-01`, createdTo: lastOf(month) });
          }}
        />
      </>
    )}
  </Picture>
);
