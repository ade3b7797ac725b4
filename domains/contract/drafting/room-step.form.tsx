import { useState } from "react";
import { type Changes, OneField } from "../../../platform/console/form/form-field.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { type InputProps, MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { pageWithin } from "../../../platform/console/list/page-numbers.ts";
import { Pager } from "../../../platform/console/list/pager.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { type Day, addDays, daysBetween, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { endAfter, termText } from "../schedule/months.rules.ts";
import { boundsText, isAttached, termBounds, termWrong } from "../terms/product.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import type { Draft, RoomCard } from "./draft.form.tsx";
import { fixedBy, mainCard } from "./drafting.rules.ts";
import { heldSaid, TAKEN_AS } from "./picking.rules.ts";
import { Fields, decimalIn } from "./term-fields.form.tsx";
import { type Picked, RoomPicker } from "./room-picker.panel.tsx";

const QUICK = [3, 6, 12, 24] as const;

/** How many of the usual months a term is; nothing for a term of one's own. */
export const usualMonths = (start: string, end: string): number | undefined =>
  QUICK.find((n) => endAfter(start, n) === end);

/** Usual terms, with the shortest and longest that the room's product is let for; what lies outside cannot be chosen. */
export function TermChips({ draft, setStart }: { draft: Draft; setStart: (start: string) => void }) {
  const { form, patch, cards, data } = draft;
  const room = mainCard(form.rooms, cards);
  const bounds = termBounds(room);
  const months = [...new Set([...QUICK, bounds.min, bounds.max])]
    .filter((n): n is number => n !== null)
    .toSorted((a, b) => a - b);
  const text = boundsText(bounds);
  const outside =
    form.start && form.end && form.end >= form.start && termWrong(bounds, form.start, form.end) !== undefined;
  return (
    <div className="fi fi--wide">
      <span className="fi__label">租期</span>
      <div>
        <div className="row wrap pick">
          {months.map((n) => {
            const wrong = form.start ? termWrong(bounds, form.start, endAfter(form.start, n)) : undefined;
            return (
              <button
                key={n}
                type="button"
                disabled={!form.start || wrong !== undefined}
                title={wrong}
                className={form.start && form.end === endAfter(form.start, n) ? "on" : ""}
                onClick={() => patch({ end: endAfter(form.start!, n) })}
              >
                {n} 个月
              </button>
            );
          })}
          {!form.start && data && (
            <button type="button" onClick={() => setStart(data.today)}>
              从今天起租
            </button>
          )}
        </div>
        {room && text && (
          <p className={outside ? "neg" : "dim"}>
            {room.minTermMonths || !room.product ? room.name : room.product.name} 的租期为 {text}
          </p>
        )}
      </div>
    </div>
  );
}

const ROOM_NOTES = {
  renter: "一间主房，可附带车位、储藏间共 5 个",
  company: "多间房同一份合同，每间有自己的月租金",
  merchant: "最多 20 个铺位，可附带车位、储藏间",
} as const satisfies Record<ContractForm["kind"], string>;
/** Timelines of more rooms would only be scrolled over: then those that are taken stand alone. */
const MOST_STRIPS = 6;

/** Lines with inputs that a page takes without being felt; of more rooms they stand on pages. */
const ROWS = 50;

const UNIT_PRICE = { title: "单价", input: decimalIn() };

/** Step 1: where, from when to when, which rooms at which rent. */
export function RoomStep({ draft }: { draft: Draft }) {
  const { form, patch, cards, errors } = draft;
  const [picking, setPicking] = useState(false);
  const [page, setPage] = useState({ pageNo: 1, pageSize: ROWS });
  const fixed = fixedBy(form);
  const ready = form.villageId > 0 && form.start && form.end && form.end >= form.start;
  const perArea = form.pricing === "areaDay";
  const setStart = (start: string | undefined) => {
    const months = form.start && form.end ? usualMonths(form.start, form.end) : 12;
    patch({ start: start ?? null, ...(start && months && { end: endAfter(start, months) }) });
  };
  const pick = (rooms: readonly Picked[]) => {
    const before = new Map(form.rooms.map((r) => [r.roomId, r]));
    patch({
      rooms: rooms.map((r) => ({
        ...(before.get(r.id) ?? { roomId: r.id, monthlyRent: r.monthly ?? 0 }),
        ...(r.given !== undefined && { monthlyRent: r.given }),
      })),
    });
    setPicking(false);
  };
  const monthlyRent: Changes<ContractForm, unknown> = {
    title: "月租金",
    input: (p) => <MoneyInput {...(p as InputProps<number>)} unit="元/月" disabled={perArea} />,
  };
  const pageNo = pageWithin(form.rooms.length, page);
  const from = (pageNo - 1) * page.pageSize;
  const shown = form.rooms.slice(from, from + page.pageSize);
  const wrong = Object.keys(errors).flatMap((path) => /^rooms\.(\d+)\./.exec(path)?.[1] ?? []);
  const wrongOn = new Set(wrong.map((i) => Math.floor(Number(i) / page.pageSize) + 1));
  wrongOn.delete(pageNo);
  const sum = form.rooms.reduce((s, r) => s + (r.monthlyRent || 0), 0);
  return (
    <div className="form cf__grid">
      {fixed && <p className="fi--wide tinted fs-13 s-blue">{fixed}</p>}
      <Fields
        form={draft}
        of={[
          [
            "villageId",
            {
              wide: true,
              input: (p) => (
                <VillageSelect
                  {...(p as InputProps<number>)}
                  disabled={fixed !== undefined}
                  value={form.villageId || undefined}
                  onChange={(id) => patch({ villageId: id ?? 0, rooms: [] })}
                />
              ),
            },
          ],
          [
            "start",
            {
              input: (p) => (
                <DayInput
                  {...(p as InputProps<string>)}
                  disabled={fixed !== undefined}
                  value={form.start ?? undefined}
                  onChange={setStart}
                />
              ),
            },
          ],
          [
            "end",
            {
              help:
                form.start && form.end && form.end >= form.start ? termText(form.start, form.end) : undefined,
            },
          ],
        ]}
      />
      <TermChips draft={draft} setStart={setStart} />
      <div className="fi--wide cf__rooms">
        <div className="cf__head row fs-13">
          <h3>房间</h3>
          <Button
            size="sm"
            icon="plus"
            why={fixed ?? (ready ? undefined : "请先选择门店、起租日和结束日")}
            run={() => setPicking(true)}
          >
            选择房间
          </Button>
          <span className="dim">{ROOM_NOTES[form.kind]}</span>
        </div>
        {form.rooms.length > 0 && (
          <div className="lines">
            <table>
              <thead>
                <tr>
                  <th>房间</th>
                  <th>产品与户型</th>
                  <th className="num">标价</th>
                  <th className="num">底价</th>
                  {perArea && <th>单价（元/㎡·日）</th>}
                  <th>月租金</th>
                  <th aria-label="移除" />
                </tr>
              </thead>
              <tbody>
                {shown.map((room, at) => {
                  const i = from + at;
                  const card = cards.get(room.roomId);
                  return (
                    <tr key={room.roomId}>
                      <td>
                        {card?.name ?? "…"}{" "}
                        {card && isAttached(card.kind) && (
                          <StatusTag tone="grey" dot={false}>
                            附属
                          </StatusTag>
                        )}
                      </td>
                      <td>
                        {card?.product && <div>{card.product.name}</div>}
                        {card ? `${card.layout} ${card.area ?? "—"} ㎡` : NONE}
                      </td>
                      <td className="num">{card?.listPrice == null ? NONE : yuan(card.listPrice)}</td>
                      <td className="num">{card?.lowestPrice == null ? NONE : yuan(card.lowestPrice)}</td>
                      {perArea && (
                        <td>
                          <OneField bare form={draft} path={`rooms.${i}.unitPrice`} more={UNIT_PRICE} />
                        </td>
                      )}
                      <td>
                        <OneField bare form={draft} path={`rooms.${i}.monthlyRent`} more={monthlyRent} />
                      </td>
                      <td className="lines__x">
                        <IconButton
                          icon="trash"
                          size={14}
                          label={`移除 ${card?.name ?? "房间"}`}
                          why={fixed}
                          run={() => patch({ rooms: form.rooms.toSpliced(i, 1) })}
                        />
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
            {form.rooms.length > ROWS && (
              <Pager
                {...page}
                pageNo={pageNo}
                total={form.rooms.length}
                set={(to, pageSize) => setPage({ pageNo: to, pageSize })}
              />
            )}
            {wrongOn.size > 0 && (
              <p className="form__note" role="alert">
                第 {[...wrongOn].toSorted((a, b) => a - b).join("、")} 页有待修改的房间
              </p>
            )}
            {form.rooms.length > 1 && <div className="lines__add dim">月租金合计 {yuan(sum)}</div>}
          </div>
        )}
        {errors["rooms"] && (
          <p className="form__note" role="alert">
            {errors["rooms"]}
          </p>
        )}
        {ready &&
          form.rooms
            .map((r) => cards.get(r.roomId))
            .filter(
              (card) =>
                form.rooms.length <= MOST_STRIPS ||
                (card && heldSaid(card.timeline, { start: form.start!, end: form.end! }).taken),
            )
            .map(
              (card) =>
                card && <RoomStrip key={card.roomId} card={card} start={form.start!} end={form.end!} />,
            )}
      </div>
      {picking && ready && (
        <RoomPicker
          of={form.kind}
          villageId={form.villageId}
          from={form.start!}
          to={form.end!}
          contractId={draft.saved?.id}
          partyId={form.partyId}
          chosen={form.rooms.map((r) => r.roomId)}
          onPick={pick}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}

/** A room's timeline a month around the term: who has it before, during and after. */
function RoomStrip({ card, start, end }: { card: RoomCard; start: Day; end: Day }) {
  const from = addDays(start, -31);
  const to = addDays(end, 31);
  const days = daysBetween(from, to) + 1;
  const at = (day: Day) => `${(daysBetween(from, day) / days) * 100}%`;
  const width = (a: Day, b: Day) => `${((daysBetween(a, b) + 1) / days) * 100}%`;
  const { text, taken } = heldSaid(card.timeline, { start, end });
  return (
    <div className="rs grid gap-6 fs-12">
      <span className="cut">{card.name}</span>
      <div className="rs__bar" role="img" aria-label={`${card.name}：${text}`}>
        <i
          className={taken ? "rs__want bad" : "rs__want"}
          style={{ left: at(start), width: width(start, end) }}
        />
        {card.timeline.map((t) => {
          const a = maxDay(t.from, from);
          const b = minDay(t.to ?? to, to);
          return (
            <i
              key={`${t.from} ${t.label}`}
              className="rs__taken"
              style={{ left: at(a), width: width(a, b) }}
              title={`${t.from} 至 ${t.to ?? "未定"} ${TAKEN_AS[t.kind]}（${t.label}）`}
            />
          );
        })}
      </div>
      <span className={taken ? "neg" : "good"}>{text}</span>
    </div>
  );
}
